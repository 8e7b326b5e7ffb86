"""The tasks of the corpus: signature, wordings, entry-point names, bodies in the subset that `render` knows.

Bodies use canonical names (`stone.mini.synthesis.style`) and the choice grammar; `native` adds idioms of one language.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Task:
    slug: str
    parameters: dict[str, str]
    returns: str
    names: tuple[str, ...]
    docs: tuple[str, ...]
    bodies: tuple[str, ...]
    native: dict[str, tuple[str, ...]] = field(default_factory=dict)


INTS, STRS = "List[int]", "List[str]"
_G = "{Return|Compute|Find|Calculate|Give|Determine|Work out|Get}"
_L = "{a|the|the given|this} {list|sequence|collection|array|row} of {numbers|integers|values|ints}"
_IN = "{in|from|of|within} {the list|nums|the given list|the sequence|the input|a list}"
_W = "{the list|words|the given words|the strings|the input}"
_S = "{the string|s|the text|the given string|the input|a string}"
TASKS: dict[str, Task] = {}


def task(slug, parameters, returns, names, docs, bodies, **native):
    TASKS[slug] = Task(
        slug, parameters, returns, (slug, *names.split()), tuple(docs), tuple(b.strip("\n") for b in bodies),
        {language: tuple(b.strip("\n") for b in texts) for language, texts in native.items()},
    )  # fmt: skip


def _fold(start, step, condition="", source="nums", item="x", acc="acc"):
    """The loop that all running totals share."""
    inner = f"    if {condition}:\n        {step}" if condition else f"    {step}"
    return f"{acc} = {start}\nfor {item} in {source}:\n{inner}\nreturn {acc}"


N = {"nums": INTS}
_ADD, _ONE = "{Add up|Sum|Total|Sum up|Add}", "count += 1"
_COUNT = "{Count|Return the number of|How many are|Find how many|Tell the number of|Compute the count of|Determine the number of}"

task(
    "sum_even",
    N,
    "int",
    "sum_of_even total_even even_sum add_even",
    [
        f"{_ADD} {{all|the|all the|just the}} even {{numbers|values|elements|integers|entries}} {_IN}.",
        f"{_G} the {{sum|total}} of {{the|all}} even {{numbers|values|elements|entries}} {_IN}.",
        f"Given {_L}, {{return|compute|give}} the {{sum|total}} of the even ones.",
    ],
    [_fold(0, "acc += x", "x % 2 == 0"), _fold(0, "acc += x", "not x % 2 != 0")],
    python=["return sum(x for x in nums if x % 2 == 0)", "out = [x for x in nums if x % 2 == 0]\nreturn sum(out)"],
)
task(
    "sum_of_squares",
    N,
    "int",
    "sum_squares squares_sum total_squares square_sum",
    [
        f"{_G} the {{sum|total}} of the squares of {{the|all}} {{numbers|values|elements}} {_IN}.",
        "{Square|Take the square of} {each|every} {number|value|element} and {add|sum} {them up|the squares|the results}.",
        f"Given {_L}, {_ADD} the squared {{numbers|values}}.",
    ],
    [_fold(0, "acc += x * x"), "acc = 0\nfor x in nums:\n    tmp = x * x\n    acc += tmp\nreturn acc"],
    python=["return sum(x * x for x in nums)", "return sum([x ** 2 for x in nums])"],
)
task(
    "count_positive",
    N,
    "int",
    "positive_count count_positives num_positive how_many_positive",
    [
        f"{_COUNT} {{the|all|}} positive {{numbers|values|elements}} {_IN}.",
        f"{_COUNT} {{numbers|values|elements}} {{greater than|above|over|larger than}} zero {_IN}.",
        f"Given {_L}, {{count|return how many of}} the positive ones.",
    ],
    [_fold(0, _ONE, "x > 0", acc="count")],
    python=["return sum(1 for x in nums if x > 0)", "return len([x for x in nums if x > 0])"],
)
task(
    "count_divisible",
    N | {"k": "int"},
    "int",
    "count_multiples divisible_count num_divisible count_divisible_by",
    [
        f"{_COUNT} {{numbers|values|elements}} {_IN} {{divisible|evenly divisible}} by k.",
        f"{_COUNT} {{multiples of k|the elements that k divides}} {_IN}.",
        f"Given {_L} and k, {{count|return how many of}} the {{ones|numbers|values}} that are divisible by k.",
    ],
    [_fold(0, _ONE, "x % k == 0", acc="count")],
    python=["return sum(1 for x in nums if x % k == 0)"],
)
task(
    "keep_greater",
    N | {"k": "int"},
    INTS,
    "filter_greater greater_than above_limit keep_above larger_than",
    [
        "{Keep|Return|Select|Collect|Filter|Pick} {only|just|} the {numbers|values|elements} {greater than|larger than|above|over} k.",
        f"Given {_L}, {{return|keep|give}} {{all|those|the}} {{numbers|values|elements}} that are {{greater than|above|bigger than}} k.",
        f"{_G} {{a list of|the list of}} the {{elements|values}} {_IN} {{exceeding|above|greater than}} k.",
    ],
    [_fold("[]", "out.append(x)", "x > k", acc="out")],
    python=["return [x for x in nums if x > k]", "return list(filter(lambda x: x > k, nums))"],
)
task(
    "double_all",
    N,
    INTS,
    "doubled double_each times_two double_values double_list",
    [
        f"{{Double|Multiply by two}} {{each|every}} {{number|value|element}} {_IN}.",
        f"{_G} {{a list|a new list|the list}} with {{each|every}} {{number|value|element}} {{doubled|multiplied by two|times two}}.",
        f"Given {_L}, {{return|give}} {{twice|two times}} {{each|every}} {{value|number|element}}.",
    ],
    [
        _fold("[]", "out.append(x * 2)", acc="out"),
        _fold("[]", "out.append(x + x)", acc="out"),
        _fold("[]", "out.append(2 * x)", acc="out"),
    ],
    python=["return [x * 2 for x in nums]", "return [2 * x for x in nums]"],
)
task(
    "absolute_values",
    N,
    INTS,
    "abs_all abs_values absolute_list all_absolute to_absolute",
    [
        f"{_G} the absolute {{value|values}} of {{each|every|all}} {{number|element|numbers}} {_IN}.",
        "{Replace|Turn} {each|every} {number|value|element} {by|into|with} its absolute value.",
        f"Given {_L}, {{return|give|make}} {{a|the}} list {{of|with}} {{the|all}} absolute values.",
    ],
    [
        _fold("[]", "out.append(abs(x))", acc="out"),
        "out = []\nfor x in nums:\n    if x < 0:\n        out.append(-x)\n    else:\n        out.append(x)\nreturn out",
    ],
    python=["return [abs(x) for x in nums]", "return list(map(abs, nums))"],
)
task(
    "product_of_odd",
    N,
    "int",
    "odd_product multiply_odd product_odd prod_of_odds",
    [
        f"{_G} the product of {{the|all|all the}} odd {{numbers|values|elements}} {_IN}.",
        f"Multiply {{all|the|together all}} odd {{numbers|values|elements}} {_IN}{{|; 1 if there are none}}.",
        f"Given {_L}, {{return|compute}} the product of the odd ones.",
    ],
    [_fold(1, "acc *= x", "x % 2 != 0"), _fold(1, "acc *= x", "abs(x) % 2 == 1")],
)
task(
    "largest",
    N,
    "int",
    "maximum find_max max_value biggest greatest",
    [
        f"{_G} the {{largest|biggest|greatest|maximum|highest}} {{number|value|element|entry}} {_IN}.",
        f"{{What is|Which is}} the {{largest|biggest|maximum|highest}} {{number|value|element}} {_IN}?",
        f"Given {{a non-empty list|{_L}}}, {{return|find}} {{its|the}} {{maximum|largest element|biggest value}}.",
    ],
    [
        "best = nums[0]\nfor x in nums:\n    if x > best:\n        best = x\nreturn best",
        "best = nums[0]\nfor x in nums:\n    best = max(best, x)\nreturn best",
        "best = nums[0]\nfor i in range(1, len(nums)):\n    if nums[i] > best:\n        best = nums[i]\nreturn best",
    ],
    python=["return max(nums)", "best = max(nums)\nreturn best"],
)
task(
    "smallest_positive",
    N,
    "int",
    "min_positive least_positive lowest_positive smallest_above_zero",
    [
        f"{_G} the {{smallest|lowest|least|minimum}} positive {{number|value|element}} {_IN}{{, or|; return}} -1 if there is none.",
        "{Which is|What is} the {smallest|least|lowest} {number|value} {above|greater than} zero{? Return|, or} -1 {if none exists|when there is none}.",
        f"Given {_L}, {{return|find}} the {{smallest|minimum}} positive one, -1 {{if none|otherwise}}.",
    ],
    [
        "best = -1\nfor x in nums:\n    if x > 0 and (best == -1 or x < best):\n        best = x\nreturn best",
        "best = -1\nfor x in nums:\n    if x > 0:\n        if best < 0 or x < best:\n            best = x\nreturn best",
    ],
)
task(
    "any_negative",
    N,
    "bool",
    "has_negative contains_negative exists_negative is_any_negative",
    [
        f"{{Check|Tell|Decide|Determine}} {{whether|if}} {{any|some|at least one}} {{number|value|element}} {_IN} is {{negative|below zero}}.",
        "Return {True|true} if {the list|nums} {contains|has|includes} {a|any|some} negative {number|value|element}.",
        f"Is there {{a|any|some}} negative {{number|value|element}} {_IN}?",
    ],
    [
        "for x in nums:\n    if x < 0:\n        return True\nreturn False",
        "flag = False\nfor x in nums:\n    if x < 0:\n        flag = True\nreturn flag",
    ],
    python=["return any(x < 0 for x in nums)"],
)
task(
    "all_even",
    N,
    "bool",
    "is_all_even only_even every_even are_all_even",
    [
        f"{{Check|Tell|Decide|Determine}} {{whether|if}} {{all|every one of the}} {{numbers|values|elements}} {_IN} are even.",
        f"Return {{True|true}} if {{every|each}} {{number|value|element}} {_IN} is even.",
        f"{{Are all|Do we have only}} even {{numbers|values|elements}} {_IN}?",
    ],
    [
        "for x in nums:\n    if x % 2 != 0:\n        return False\nreturn True",
        "flag = True\nfor x in nums:\n    if x % 2 != 0:\n        flag = False\nreturn flag",
    ],
    python=["return all(x % 2 == 0 for x in nums)"],
)
task(
    "first_index_of",
    N | {"target": "int"},
    "int",
    "find_index index_of find_first position_of",
    [
        f"{_G} the {{first|lowest|smallest}} {{index|position}} of {{the|}} target {_IN}, {{or|else}} -1 if {{absent|it is missing|not found}}.",
        "{Where does|At which index does} target {first appear|occur first}? {Return|Give} -1 if {never|it does not}.",
        "{Search|Scan} {the list|nums} for target and return its {first index|position} or -1.",
    ],
    [
        "for i in range(len(nums)):\n    if nums[i] == target:\n        return i\nreturn -1",
        "i = 0\nwhile i < len(nums):\n    if nums[i] == target:\n        return i\n    i += 1\nreturn -1",
    ],
    python=["for i, x in enumerate(nums):\n    if x == target:\n        return i\nreturn -1"],
)
task(
    "last_even",
    N,
    "int",
    "find_last_even last_even_number final_even get_last_even",
    [
        f"{_G} the last even {{number|value|element}} {_IN}, {{or|else}} -1 if there is none.",
        "{What is|Find} the {final|last} even {number|value|element}{? Return|, or return} -1 {if none|when absent}.",
    ],
    [
        "best = -1\nfor x in nums:\n    if x % 2 == 0:\n        best = x\nreturn best",
        "for i in range(len(nums) - 1, -1, -1):\n    if nums[i] % 2 == 0:\n        return nums[i]\nreturn -1",
    ],
    python=["for x in reversed(nums):\n    if x % 2 == 0:\n        return x\nreturn -1"],
)
task(
    "count_occurrences",
    N | {"target": "int"},
    "int",
    "occurrences count_target times_found frequency count_equal",
    [
        f"{{Count|Return|Find|Compute}} how {{often|many times}} target {{occurs|appears|is found}} {_IN}.",
        f"{_G} the {{number of|count of}} {{occurrences|appearances}} of target {_IN}.",
        f"{_COUNT} {{elements|values|entries}} equal to target {_IN}.",
    ],
    [_fold(0, _ONE, "x == target", acc="count")],
    python=["return nums.count(target)", "return sum(1 for x in nums if x == target)"],
)
task(
    "running_total",
    N,
    INTS,
    "prefix_sums cumulative_sum running_sums partial_sums accumulate_list",
    [
        f"{_G} the {{list of|}} {{running totals|prefix sums|cumulative sums|partial sums}} of {{the list|nums|the numbers}}.",
        "{Each|Every} {element|entry|position} of the {result|output} is the sum of all {numbers|values} up to {it|that point|there}.",
        f"Given {_L}, {{return|build}} the {{cumulative|running}} {{sums|totals}}.",
    ],
    [
        "out = []\nacc = 0\nfor x in nums:\n    acc += x\n    out.append(acc)\nreturn out",
        "acc = 0\nout = []\nfor x in nums:\n    acc += x\n    out.append(acc)\nreturn out",
    ],
)
task(
    "differences",
    N,
    INTS,
    "deltas adjacent_differences step_sizes consecutive_differences gaps",
    [
        f"{_G} the {{list of|}} differences {{between|of}} {{neighbouring|adjacent|consecutive|successive}} {{numbers|values|elements}}.",
        "For {each|every} {pair of neighbours|adjacent pair|two consecutive numbers}, {return|give|list} the next minus the {previous|current} one.",
        f"Given {_L}, {{subtract|take}} each {{element|number}} from the {{next|following}} one.",
    ],
    [
        "out = []\nfor i in range(len(nums) - 1):\n    out.append(nums[i + 1] - nums[i])\nreturn out",
        "out = []\nfor i in range(1, len(nums)):\n    out.append(nums[i] - nums[i - 1])\nreturn out",
    ],
    python=["return [nums[i + 1] - nums[i] for i in range(len(nums) - 1)]"],
)
task(
    "reverse_list",
    N,
    INTS,
    "reversed_list backwards flip_list reverse_order invert_list",
    [
        "{Reverse|Flip|Turn around} {the order of|} {the list|nums|the numbers|the elements}.",
        f"{_G} {{the list|nums|the elements}} in {{reverse|reversed|opposite|backward}} order.",
        f"Given {_L}, {{return|give}} it {{backwards|reversed|from last to first}}.",
    ],
    [
        "out = []\nfor i in range(len(nums) - 1, -1, -1):\n    out.append(nums[i])\nreturn out",
        "out = []\ni = len(nums) - 1\nwhile i >= 0:\n    out.append(nums[i])\n    i -= 1\nreturn out",
    ],
    python=["return nums[::-1]", "return list(reversed(nums))"],
)
task(
    "remove_duplicates",
    N,
    INTS,
    "unique dedupe distinct unique_values drop_repeats",
    [
        "{Remove|Drop|Delete} {duplicates|repeated values|repeats} {from|of|in} {the list|nums}{|, keeping first occurrences|, keep the order}.",
        f"{_G} the {{distinct|unique|different}} {{numbers|values|elements}} {{in order of first appearance|in their order|, keeping order}}.",
        f"Given {_L}, keep {{only|just}} the first {{occurrence|copy}} of {{each|every}} {{value|number}}.",
    ],
    ["out = []\nfor x in nums:\n    if x not in out:\n        out.append(x)\nreturn out"],
    python=[
        "return list(dict.fromkeys(nums))",
        "seen = set()\nout = []\nfor x in nums:\n    if x not in seen:\n        seen.add(x)\n        out.append(x)\nreturn out",
    ],
)
task(
    "range_span",
    N,
    "int",
    "span value_range max_minus_min spread_of range_of",
    [
        f"{_G} the {{difference|distance|gap}} between the {{largest|maximum|biggest}} and {{the|}} {{smallest|minimum|lowest}} {{number|value|element}}{{|, 0 if empty}}.",
        f"{_G} the {{range|spread|span}} (maximum minus minimum) of {{the list|nums|the numbers}}.",
        f"Given {_L}, how far {{apart are|lie}} {{its|the}} {{extremes|maximum and minimum}}?",
    ],
    [
        "if len(nums) == 0:\n    return 0\nlow = nums[0]\nhigh = nums[0]\nfor x in nums:\n    low = min(low, x)\n    high = max(high, x)\nreturn high - low",
        "if len(nums) == 0:\n    return 0\nhigh = nums[0]\nlow = nums[0]\nfor x in nums:\n    if x > high:\n        high = x\n    if x < low:\n        low = x\nreturn high - low",
    ],
    python=["if not nums:\n    return 0\nreturn max(nums) - min(nums)"],
)
task(
    "second_largest",
    N,
    "int",
    "second_max runner_up second_biggest second_highest",
    [
        f"{_G} the second {{largest|biggest|highest}} {{distinct|different|}} {{number|value|element}} {_IN}, {{or|else}} -1 if there is none.",
        "{Which|What} {number|value} comes right after the maximum{? Return|, or} -1 {if none exists|when there is no such one}.",
    ],
    [
        "if len(nums) == 0:\n    return -1\nhigh = nums[0]\nfor x in nums:\n    high = max(high, x)\nflag = False\nbest = -1\nfor w in nums:\n    if w != high and (not flag or w > best):\n        best = w\n        flag = True\nreturn best"
    ],
    python=["out = sorted(set(nums))\nif len(out) < 2:\n    return -1\nreturn out[-2]"],
)
task(
    "is_sorted",
    N,
    "bool",
    "sorted_check is_ordered is_ascending in_order is_increasing",
    [
        "{Check|Tell|Decide|Determine} {whether|if} {the list|nums} is {sorted|ordered}{| in ascending order| in non-decreasing order}.",
        "Return {True|true} if {no element is smaller than the one before|the numbers never decrease|each number is at least the previous one}.",
        "{Are the|Is the list of} {numbers|values} in {ascending|non-decreasing|sorted|increasing} order?",
    ],
    [
        "for i in range(len(nums) - 1):\n    if nums[i] > nums[i + 1]:\n        return False\nreturn True",
        "for i in range(1, len(nums)):\n    if nums[i] < nums[i - 1]:\n        return False\nreturn True",
    ],
    python=["return nums == sorted(nums)", "return all(nums[i] <= nums[i + 1] for i in range(len(nums) - 1))"],
)
task(
    "count_peaks",
    N,
    "int",
    "peaks num_peaks local_maxima peak_count",
    [
        f"{_COUNT} {{peaks|local maxima}} {_IN}{{|: elements greater than both neighbours}}.",
        f"{_COUNT} {{numbers|elements|values}} {{greater|larger|higher}} than both {{of their|}} neighbours.",
    ],
    [
        "count = 0\nfor i in range(1, len(nums) - 1):\n    if nums[i] > nums[i - 1] and nums[i] > nums[i + 1]:\n        count += 1\nreturn count"
    ],
)
P = {"xs": INTS, "ys": INTS}
task(
    "zip_sum",
    P,
    INTS,
    "add_lists pairwise_sum elementwise_sum sum_pairs add_pairwise",
    [
        "{Add|Sum} {two|the two|both} lists {element by element|elementwise|position by position|pairwise}.",
        "{Return|Give|Build} the {list of|} {elementwise|pairwise} sums of {two|the two} lists{| of equal length}.",
        "{Each|Every} {element|entry} of the {result|output} is the sum of the {two elements|numbers} at the same {position|index}.",
    ],
    ["out = []\nfor i in range(len(xs)):\n    out.append(xs[i] + ys[i])\nreturn out"],
    python=["return [c + w for c, w in zip(xs, ys)]"],
)
task(
    "dot_product",
    P,
    "int",
    "scalar_product inner_product dot multiply_and_sum",
    [
        f"{_G} the {{dot|scalar|inner}} product of {{two|the two|both}} lists.",
        "{Multiply|Take products of} {matching|corresponding} {elements|entries} and {add|sum} {them up|the products|the results}.",
    ],
    ["acc = 0\nfor i in range(len(xs)):\n    acc += xs[i] * ys[i]\nreturn acc"],
    python=["return sum(c * w for c, w in zip(xs, ys))"],
)
task(
    "rotate_left",
    N | {"k": "int"},
    INTS,
    "left_rotate rotate shift_left rotate_list",
    [
        "{Rotate|Shift} {the list|nums|the elements} {to the left|left} by k {positions|places|steps}.",
        "{Move|Shift} the first k {elements|numbers} to the {end|back}{| of the list}{|; k may exceed the length}.",
        f"Given {_L}, {{return|give}} it rotated {{left|to the left}} k {{times|places}}.",
    ],
    [
        "out = []\nsize = len(nums)\nfor i in range(size):\n    out.append(nums[(i + k) % size])\nreturn out",
        "size = len(nums)\nout = []\nfor i in range(size):\n    out.append(nums[(k + i) % size])\nreturn out",
    ],
    python=["if not nums:\n    return []\nk = k % len(nums)\nreturn nums[k:] + nums[:k]"],
)
AB = {"a": "int", "b": "int"}
task(
    "sum_between",
    AB,
    "int",
    "range_sum sum_range sum_from_to total_between",
    [
        f"{_ADD} {{all|the|all the}} {{integers|numbers}} from a to b{{|, inclusive|, both included}}.",
        f"{_G} the {{sum|total}} of {{all|the|every}} {{integers|numbers|whole numbers}} between a and b{{|, inclusive}}.",
    ],
    [
        "acc = 0\nfor i in range(a, b + 1):\n    acc += i\nreturn acc",
        "acc = 0\ni = a\nwhile i <= b:\n    acc += i\n    i += 1\nreturn acc",
        "return (a + b) * (b - a + 1) // 2",
    ],
    python=["return sum(range(a, b + 1))"],
)
NK = {"n": "int", "k": "int"}
task(
    "sum_multiples",
    NK,
    "int",
    "multiples_sum sum_of_multiples add_multiples total_multiples",
    [
        f"{_ADD} {{all|the|the positive}} multiples of k {{below|smaller than|less than|under}} n.",
        f"{_G} the {{sum|total}} of {{all|the}} {{positive multiples of k|positive numbers divisible by k}} {{below|less than|under}} n.",
    ],
    [
        "acc = 0\nfor i in range(1, n):\n    if i % k == 0:\n        acc += i\nreturn acc",
        "acc = 0\nfor i in range(k, n, k):\n    acc += i\nreturn acc",
        "acc = 0\ni = k\nwhile i < n:\n    acc += i\n    i += k\nreturn acc",
    ],
    python=["return sum(range(k, n, k))", "return sum(i for i in range(1, n) if i % k == 0)"],
)
n_ = {"n": "int"}
task(
    "factorial",
    n_,
    "int",
    "fact compute_factorial n_factorial factorial_of",
    [
        f"{_G} the factorial of {{n|the number n|a number}}.",
        f"{_G} the product of {{all|the}} {{integers|numbers}} from 1 {{to|up to}} n.",
        f"{_G} n!{{| (n factorial)}}.",
    ],
    [
        "acc = 1\nfor i in range(2, n + 1):\n    acc *= i\nreturn acc",
        "acc = 1\nfor i in range(1, n + 1):\n    acc *= i\nreturn acc",
        "acc = 1\ni = n\nwhile i > 1:\n    acc *= i\n    i -= 1\nreturn acc",
    ],
)
task(
    "fibonacci",
    n_,
    "int",
    "fib nth_fibonacci fibonacci_number fib_number",
    [
        f"{_G} the {{n-th|nth}} Fibonacci number{{|, starting with 0 and 1|, where fib(0) is 0}}.",
        f"{_G} {{element|entry|number}} n of the Fibonacci {{sequence|series}} (0, 1, 1, 2, 3, ...).",
    ],
    [
        "prev = 0\ncur = 1\nfor i in range(n):\n    prev, cur = cur, prev + cur\nreturn prev",
        "if n < 2:\n    return n\nprev = 0\ncur = 1\nfor i in range(2, n + 1):\n    prev, cur = cur, prev + cur\nreturn cur",
    ],
)
task(
    "gcd",
    AB,
    "int",
    "greatest_common_divisor common_divisor find_gcd highest_common_factor",
    [
        f"{_G} the {{greatest|largest|highest}} common {{divisor|factor}} of a and b.",
        f"{_G} the {{largest|biggest}} {{integer|number}} that divides both a and b.",
    ],
    ["while b != 0:\n    a, b = b, a % b\nreturn a", "while b > 0:\n    a, b = b, a % b\nreturn a"],
)
task(
    "is_prime",
    n_,
    "bool",
    "prime check_prime prime_number is_prime_number",
    [
        "{Check|Tell|Decide|Determine} {whether|if} n is {prime|a prime number|a prime}.",
        "Return {True|true} if {n|the number|the number n} is {prime|a prime number}.",
        "{Is|Could} n {a prime number|a prime|prime}?",
    ],
    [
        "if n < 2:\n    return False\nfor i in range(2, n):\n    if n % i == 0:\n        return False\nreturn True",
        "if n < 2:\n    return False\ni = 2\nwhile i * i <= n:\n    if n % i == 0:\n        return False\n    i += 1\nreturn True",
    ],
    python=["if n < 2:\n    return False\nreturn all(n % i != 0 for i in range(2, n))"],
)
task(
    "count_divisors",
    n_,
    "int",
    "divisors num_divisors divisor_count number_of_divisors",
    [
        f"{_COUNT} {{divisors|positive divisors|factors}} of n.",
        "{How many|Return how many|Count how many} {integers|numbers|positive integers} divide n{| evenly| without remainder}{?|.}",
    ],
    ["count = 0\nfor i in range(1, n + 1):\n    if n % i == 0:\n        count += 1\nreturn count"],
    python=["return sum(1 for i in range(1, n + 1) if n % i == 0)"],
)
task(
    "digit_sum",
    n_,
    "int",
    "sum_digits sum_of_digits add_digits digits_total",
    [
        f"{_G} the {{sum|total}} of {{the|all|its}} {{decimal digits|digits}} of n.",
        f"{_ADD} {{all|the|all the}} digits of {{n|the number|the number n}}.",
    ],
    [
        "acc = 0\nrest = n\nwhile rest > 0:\n    acc += rest % 10\n    rest = rest // 10\nreturn acc",
        "acc = 0\nwhile n > 0:\n    acc += n % 10\n    n = n // 10\nreturn acc",
    ],
    python=["return sum(int(c) for c in str(n))"],
)
task(
    "reverse_number",
    n_,
    "int",
    "reverse_digits reversed_number flip_number backwards_number",
    [
        "{Reverse|Flip} the {decimal digits|digits} of {n|the number|the number n}.",
        f"{_G} the number {{formed by|made of|with}} the digits of n in {{reverse|reversed|opposite}} order.",
    ],
    [
        "acc = 0\nrest = n\nwhile rest > 0:\n    acc = acc * 10 + rest % 10\n    rest = rest // 10\nreturn acc",
        "acc = 0\nwhile n > 0:\n    acc = acc * 10 + n % 10\n    n = n // 10\nreturn acc",
    ],
    python=["return int(str(n)[::-1])"],
)
task(
    "power",
    {"base": "int", "exp": "int"},
    "int",
    "raise_to pow_int to_the_power exponentiate",
    [
        f"{_G} base {{raised to|to the power of|to the}} exp.",
        "{Raise|Take} base to {the power exp|the exp-th power}{|, exp is not negative}.",
        "{Multiply|Use} base {by itself|as a factor} exp times.",
    ],
    [
        "acc = 1\nfor i in range(exp):\n    acc *= base\nreturn acc",
        "acc = 1\ni = 0\nwhile i < exp:\n    acc *= base\n    i += 1\nreturn acc",
    ],
    python=["return base ** exp"],
)
s_ = {"s": "str"}
_V = '"aeiouAEIOU"'
task(
    "count_vowels",
    s_,
    "int",
    "vowel_count num_vowels vowels how_many_vowels",
    [f"{_COUNT} {{the |}}vowels in {_S}{{|, in either case}}.", f"{_COUNT} {{letters|characters}} {{in|of}} {_S} that are vowels."],
    [_fold(0, _ONE, f"c in {_V}", "s", "c", "count")],
    python=[f"return sum(1 for c in s if c in {_V})"],
)
task(
    "reverse_string",
    s_,
    "str",
    "reverse_text backwards reversed_string flip_string",
    [
        f"{{Reverse|Flip|Turn around}} {_S}.",
        f"{_G} {_S} {{backwards|reversed|in reverse order|in reverse}}.",
        f"{_G} the {{characters|letters}} of {_S} from last to first.",
    ],
    [
        'text = ""\nfor i in range(len(s) - 1, -1, -1):\n    text += s[i]\nreturn text',
        'text = ""\ni = len(s) - 1\nwhile i >= 0:\n    text += s[i]\n    i -= 1\nreturn text',
    ],
    python=["return s[::-1]", 'return "".join(reversed(s))'],
)
task(
    "is_palindrome",
    s_,
    "bool",
    "palindrome check_palindrome same_backwards reads_same",
    [
        f"{{Check|Tell|Decide|Determine}} {{whether|if}} {_S} is {{a palindrome|the same backwards}}.",
        f"{{Return True if|Does}} {_S} {{read|reads}} the same {{forwards and backwards|in both directions|from both ends}}{{.|?}}",
    ],
    [
        "i = 0\nj = len(s) - 1\nwhile i < j:\n    if s[i] != s[j]:\n        return False\n    i += 1\n    j -= 1\nreturn True",
        "size = len(s)\nfor i in range(size // 2):\n    if s[i] != s[size - 1 - i]:\n        return False\nreturn True",
    ],
    python=["return s == s[::-1]"],
)
task(
    "count_char",
    s_ | {"c0": "char"},
    "int",
    "char_count letter_count count_letter occurrences_of",
    [
        f"{{Count|Return|Find|Compute}} how {{often|many times}} {{the character|the letter|a character}} {{occurs|appears|is found}} in {_S}.",
        f"{_G} the {{number of|count of}} {{occurrences|appearances}} of the {{character|letter|symbol}} in {_S}.",
    ],
    [_fold(0, _ONE, "c == c0", "s", "c", "count")],
    python=["return s.count(c0)", "return sum(1 for c in s if c == c0)"],
)
task(
    "remove_vowels",
    s_,
    "str",
    "drop_vowels without_vowels strip_vowels no_vowels",
    [
        f"{{Remove|Drop|Delete|Strip}} {{all|the|all the|every one of the}} vowels {{from|in|of}} {_S}.",
        f"{_G} {_S} without {{its|the|any}} vowels.",
    ],
    [_fold('""', "text += c", f"c not in {_V}", "s", "c", "text")],
    python=[f'return "".join(c for c in s if c not in {_V})'],
)
task(
    "to_upper",
    s_,
    "str",
    "uppercase upper_text make_upper all_caps",
    [
        f"{{Convert|Turn|Change}} {_S} {{to|into}} {{upper case|uppercase|capital letters}}.",
        f"{_G} {_S} {{in|with all letters in}} {{upper case|uppercase|capitals}}.",
    ],
    [_fold('""', "text += c.upper()", "", "s", "c", "text")],
    python=["return s.upper()"],
)
task(
    "swap_case",
    s_,
    "str",
    "invert_case flip_case toggle_case switch_case",
    [
        f"{{Swap|Invert|Toggle|Flip|Switch}} the case of {{each|every}} {{letter|character}} {{in|of}} {_S}.",
        "{Turn|Change} {lower|small} {case letters|letters} {to|into} upper case and {the other way round|vice versa}.",
    ],
    [
        'text = ""\nfor c in s:\n    if c.isupper():\n        text += c.lower()\n    else:\n        text += c.upper()\nreturn text',
        'text = ""\nfor c in s:\n    text += c.lower() if c.isupper() else c.upper()\nreturn text',
    ],
    python=["return s.swapcase()"],
)
W = {"words": STRS}
task(
    "longest_word",
    W,
    "str",
    "longest_string find_longest max_length_word longest_of",
    [
        f"{_G} the longest {{word|string|entry}} {{in|of|among}} {_W}{{|, the first if tied}}{{|, or an empty string if there is none}}.",
        "{Which|What} {word|string} {is|is the} longest{? Return the first one on ties|, the first one wins ties}.",
    ],
    ['best = ""\nfor w in words:\n    if len(w) > len(best):\n        best = w\nreturn best'],
    python=['return max(words, key=len, default="")'],
)
task(
    "count_words",
    s_,
    "int",
    "word_count num_words words_in how_many_words",
    [
        f"{_COUNT} words in {_S}{{|, separated by spaces|; words are separated by spaces}}.",
        f"{_COUNT} {{space-separated|blank-separated}} {{words|pieces|tokens}} in {_S}.",
    ],
    [
        'count = 0\nflag = False\nfor c in s:\n    if c == " ":\n        flag = False\n    elif not flag:\n        flag = True\n        count += 1\nreturn count'
    ],
    python=["return len(s.split())", "words = s.split()\nreturn len(words)"],
)
task(
    "join_with_dash",
    W,
    "str",
    "dash_join join_dashes hyphenate connect_with_dash",
    [
        f"{{Join|Connect|Link|Glue}} {_W} {{with|by|using}} {{dashes|a dash|hyphens}}.",
        f"{_G} {{one string|a string}} of {{all|the}} words {{separated|joined}} by {{dashes|a dash|hyphens}}.",
    ],
    ['text = ""\nfor i in range(len(words)):\n    if i > 0:\n        text += "-"\n    text += words[i]\nreturn text'],
    python=['return "-".join(words)'],
)
task(
    "count_long_words",
    W | {"n": "int"},
    "int",
    "long_words num_long_words count_longer longer_than",
    [
        f"{_COUNT} {{words|strings|entries}} {{in|of|among}} {_W} {{longer than n|with more than n characters|with length above n|that have more than n letters}}."
    ],
    [_fold(0, _ONE, "len(w) > n", "words", "w", "count")],
    python=["return sum(1 for w in words if len(w) > n)"],
)
task(
    "first_letters",
    W,
    "str",
    "initials acronym first_chars leading_letters",
    [
        f"{{Join|Collect|Put together|Concatenate}} the first {{letter|letters|character|characters}} of {{all|each of|}} {_W}.",
        f"{_G} a string {{made|built|formed}} of the {{first letters|initials}} of {_W}.",
    ],
    ['text = ""\nfor w in words:\n    text += w[0]\nreturn text'],
    python=['return "".join(w[0] for w in words)'],
)
task(
    "count_digits",
    s_,
    "int",
    "digit_count num_digits digits_in how_many_digits",
    [
        f"{_COUNT} {{digits|digit characters|decimal digits}} in {_S}.",
        f"{_COUNT} {{characters|letters|symbols}} {{in|of}} {_S} that are digits.",
    ],
    [_fold(0, _ONE, "c.isdigit()", "s", "c", "count")],
    python=["return sum(1 for c in s if c.isdigit())"],
)
task(
    "repeat_string",
    s_ | {"n": "int"},
    "str",
    "repeat_text repeated times_string copy_string",
    [
        f"{{Repeat|Copy|Duplicate|Write}} {_S} n times.",
        f"{_G} {_S} {{repeated|copied|written}} n times{{| in a row| without separator}}.",
    ],
    [
        'text = ""\nfor i in range(n):\n    text += s\nreturn text',
        'text = ""\ni = 0\nwhile i < n:\n    text += s\n    i += 1\nreturn text',
    ],
    python=["return s * n"],
)
task(
    "collatz_steps",
    n_,
    "int",
    "collatz steps_to_one hailstone collatz_length",
    [
        f"{_COUNT} {{Collatz|hailstone}} steps {{until|before}} n {{reaches|becomes}} 1.",
        "{Halve|Divide by two} even {numbers|values}, {triple odd ones and add one|use 3n + 1 for odd ones}; count the steps {to|until} 1.",
    ],
    [
        "count = 0\nwhile n != 1:\n    if n % 2 == 0:\n        n = n // 2\n    else:\n        n = 3 * n + 1\n    count += 1\nreturn count"
    ],
)
