/* A GCC plugin with one pragma, for the end of a header that is precompiled. `#pragma stone instantiate` does two things there.
   - It writes the templates that the headers' own inline functions need into the precompiled header. Without it g++ instantiates them anew in
     every program, after its last line (clang has -fpch-instantiate-templates for it).
   - It leaves the machine code of all the header's functions to a library, the same header compiled as a program (clang has -fpch-codegen
     for it). Without it g++ writes the code of each that a program uses into the program, which is most of a short program's code, and
     looks through all of them after the program's last line. */

#include "gcc-plugin.h"
#include "tree.h"
#include "tm.h"
#include "stringpool.h"
#include "attribs.h"
#include "hard-reg-set.h"
#include "function.h"
#include "cgraph.h"
#include "c-family/c-pragma.h"
#include "cp/cp-tree.h"
#include <vector>

int plugin_is_GPL_compatible;

static std::vector<tree> functions;

static bool for_library(tree function) {
    tree attributes = DECL_ATTRIBUTES(function);
    return TREE_PUBLIC(function) && !lookup_attribute("always_inline", attributes) && !lookup_attribute("gnu_inline", attributes);
}

/* Each function of the header with its body; a constructor or destructor stands for its variants, which come by themselves. */
static void parsed(void *declaration, void *) {
    tree function = static_cast<tree>(declaration);
    if (processing_template_decl || DECL_MAYBE_IN_CHARGE_CDTOR_P(function) || !for_library(function)) return;
    if (pch_file) { /* the precompiled header: as `extern template` does */
        DECL_EXTERNAL(function) = 1;
        DECL_NOT_REALLY_EXTERN(function) = 0;
        DECL_INTERFACE_KNOWN(function) = 1;
        functions.push_back(function);
    } else /* the library */
        mark_needed(function);
}

static void instantiate(cpp_reader *) {
    instantiate_pending_templates(0);
    for (tree function : functions) { /* so that no program looks through them; the compiler itself may have to run a constexpr function */
        cgraph_node *node = cgraph_node::get(function);
        if (node && !DECL_DECLARED_CONSTEXPR_P(function)) node->remove();
    }
}

static void register_pragma(void *, void *) { c_register_pragma("stone", "instantiate", instantiate); }

int plugin_init(plugin_name_args *plugin, plugin_gcc_version *) {
    register_callback(plugin->base_name, PLUGIN_PRAGMAS, register_pragma, nullptr);
    register_callback(plugin->base_name, PLUGIN_FINISH_PARSE_FUNCTION, parsed, nullptr);
    return 0;
}
