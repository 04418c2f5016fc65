/**
 * Variables that a host's hook entry sets to the empty string, where the host allows it. They affect the shell that reads
 * our line, the loader of every program, Node and perl, and a project may set them for the agent. Of the names that bash
 * could take for functions, our line uses only `exit` bare. A level of 2 keeps bash from reading a start file of the home
 * folder.
 */
export const blankVariables: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ..."BASH_ENV ENV SHELLOPTS BASHOPTS PS4 CDPATH GLOBIGNORE IFS".split(" "),
      ..."BASH_FUNC_exit%% BASH_FUNC_exit() __BASH_FUNC<exit>()".split(" "),
      ..."LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH".split(" "),
      ..."LD_DEBUG LD_PROFILE GLIBC_TUNABLES MALLOC_TOP_PAD_ MALLOC_ARENA_MAX MALLOC_MMAP_MAX_ MALLOC_PERTURB_ MALLOC_TRACE".split(
        " ",
      ),
      ..."GCONV_PATH LOCPATH NODE_OPTIONS NODE_PATH PERL5OPT PERL5LIB PERL5DB".split(" "),
    ].map((name) => [name, ""]),
  ),
  SHLVL: "2",
};
