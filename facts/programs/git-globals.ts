import { type Grammar, optionList } from "./grammar.ts";

/** Global options of git, up to the subcommand. Source: git(1). */
export const gitGlobals: Grammar = {
  options: optionList(`
    -C=; -c=; --exec-path=?; --git-dir=; --work-tree=; --namespace=; --super-prefix=; --config-env=; -p
    --paginate; -P --no-pager; --no-replace-objects; --bare; --literal-pathspecs; --no-optional-locks;
    -v --version; -h --help
  `),
  stop: true,
  exact: true,
};
