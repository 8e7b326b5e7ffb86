#!/usr/bin/env bash
# Installs Debian's SLURM and starts a single-node cluster in the folder given, if none answers there. As root, for tests.
#     bash tests/slurm/start_slurm.sh /some/folder
# Two partitions, cpu and gpu; GPUs, cores and memory are made up, so that requests for them are scheduled.
set -euo pipefail
place=$1

if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge
fi
sinfo -h >/dev/null 2>&1 && exit 0
if [ -e /etc/slurm/slurm.conf ] && [ ! -L /etc/slurm/slurm.conf ]; then
    echo "/etc/slurm/slurm.conf belongs to a real cluster; this script is for test machines" >&2
    exit 1
fi

mkdir -p "$place"/{state,spool,log} /etc/slurm
cat >"$place/slurm.conf" <<EOF
ClusterName=test
SlurmctldHost=localhost
AuthType=auth/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldLogFile=$place/log/slurmctld.log
SlurmdLogFile=$place/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=1000
ReturnToService=2
SchedulerParameters=sched_interval=5,bf_interval=5,batch_sched_delay=0,sched_min_interval=0
KillWait=2
OverTimeLimit=0
MinJobAge=600
JobAcctGatherType=jobacct_gather/linux
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$place/log/jobs.txt
GresTypes=gpu
NodeName=localhost CPUs=16 RealMemory=512000 Gres=gpu:fake:2
PartitionName=cpu Nodes=localhost Default=YES MaxTime=INFINITE
PartitionName=gpu Nodes=localhost MaxTime=INFINITE
EOF
printf 'NodeName=localhost Name=gpu Type=fake File=/dev/null\nNodeName=localhost Name=gpu Type=fake File=/dev/zero\n' >"$place/gres.conf"
# Jobs lose the variable SLURM_CONF, so the files must be found at their usual place.
ln -sfn "$place/slurm.conf" /etc/slurm/slurm.conf
ln -sfn "$place/gres.conf" /etc/slurm/gres.conf

if ! pgrep -x munged >/dev/null; then
    install -d -o munge -g munge -m 0755 /run/munge
    [ -e /etc/munge/munge.key ] || { head -c 1024 /dev/urandom >/etc/munge/munge.key; chown munge /etc/munge/munge.key; chmod 400 /etc/munge/munge.key; }
    su -s /bin/sh munge -c /usr/sbin/munged
fi
slurmctld -c
slurmd -N localhost
for _ in $(seq 60); do
    case $(sinfo -h -o %t 2>/dev/null) in *idle*) exit 0 ;; esac
    sleep 0.5
done
tail -5 "$place"/log/*.log >&2
echo "the test cluster did not become idle within 30 s" >&2
exit 1
