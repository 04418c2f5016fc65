import { describe, expect, it } from "vitest";
import { bash, deletes } from "./judge.ts";

type Row = readonly [command: string, deletes: readonly string[]];

function table(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    it.each(rows)("%j deletes %j", (command, expected) => {
      const reading = bash(command);
      expect({ deletes: deletes(reading), known: reading.understanding !== "unknown" }).toEqual({
        deletes: expected,
        known: true,
      });
    });
  });
}

const root = ["/ recursive"];
// A branch, or who calls the function, may leave it out.
const possibly = ["/ recursive maybe"];
const home = ["/home/dev recursive"];

table("flag variants (class 1)", [
  ["rm --recursive --force /", root],
  ["rm -fr /", root],
  ["rm -r -f -- /", root],
  ["rm --rec --fo /", root],
  ["rm / -rf", root],
  ["rm -Rf --no-preserve-root /", root],
  ["rm -- -rf", ["/home/dev/app/-rf"]],
  ["rm a b", ["/home/dev/app/a", "/home/dev/app/b"]],
  ["rm -rf node_modules", ["/home/dev/app/node_modules recursive"]],
  ["rmdir build", ["/home/dev/app/build"]],
  ["unlink /etc/passwd", ["/etc/passwd"]],
  ["shred -u key.pem", ["/home/dev/app/key.pem"]],
  ["git clean -fdx", ["/home/dev/app recursive"]],
  ["git clean -ndx", []],
  ["git rm -r src", ["/home/dev/app/src recursive"]],
  ["git rm --cached .env", []],
  ["mv src /tmp", ["/home/dev/app/src recursive"]],
  ["rsync -a --delete a/ b/", ["/home/dev/app/b recursive"]],
  ["find . -delete", ["/home/dev/app recursive"]],
  ["find . -name '*.pyc' -delete", ["/home/dev/app/**/*.pyc"]],
  ["find . ! -name '*.pyc' -delete", ["/home/dev/app recursive"]],
  ["find / -name '*' -delete", root],
]);

table("other names of a program (class 2)", [
  ["/usr/bin/../bin/rm -rf /etc", ["/etc recursive"]],
  ["busybox rm -rf /var", ["/var recursive"]],
  ["cp /bin/rm t && ./t -rf ~", home],
  ["command -v rm", []],
  ["command rm -rf /", root],
  ["\\rm -rf /", root],
  ["/proc/self/root/usr/bin/rm -rf /", root],
  ["/lib64/ld-linux-x86-64.so.2 /bin/rm -rf /", root],
  ["=rm -rf /", root],
  ["$(which rm) -rf /", root],
]);

table("wrappers (class 3)", [
  ["sudo rm -rf /", root],
  ["sudo -u root -E X=1 rm -rf /", root],
  ["timeout 5 nice rm -rf ~", home],
  ["timeout -s KILL --kill-after=3 5 rm -rf /", root],
  ["env -i A=b rm -rf /", root],
  ["env -S 'rm -rf /'", root],
  ["env -S 'bash -c \"ls; rm -rf /\"'", root],
  ["env -S 'rm -rf /etc\\_x'", ["/etc x recursive"]],
  ["nohup setsid stdbuf -oL ionice -c 3 rm -rf / &", root],
  ["find . -exec sh -c 'rm -rf /' \\;", root],
  ["find src -exec rm -rf {} +", ["/home/dev/app/src recursive"]],
  ["find . -name node_modules -exec rm -rf {} \\;", ["/home/dev/app/**/node_modules recursive"]],
  ["git ls-files | xargs wc -l", []],
  ["git ls-files | xargs rm", ["/home/dev/app/**"]],
  ["cat list | xargs rm -rf", ["/ recursive maybe"]],
  ["echo / | xargs rm -rf", root],
  ["echo /etc | xargs -I{} rm -rf {}", ["/etc recursive"]],
  ["echo rm -rf / | xargs -I{} sh -c {}", root],
  ["parallel ::: ls 'cd /; rm -rf .'", root],
  ["printf '%s\\0' 'ls; rm -rf /' | xargs -0 bash -c", root],
  ["printf '%s\\0' ls 'rm -rf /' | xargs -0 -n1 sh -c", root],
  ["echo '/etc,/usr' | xargs -d, rm -r", ["/etc recursive", "/usr\n recursive"]],
  ["echo '\"a b\"' | xargs rm", ["/home/dev/app/a b"]],
  ["printf '%s\\n' '\\rm -rf /' | sh", root],
  ["su -c 'rm -rf /' root", root],
  ["su root -c 'rm -rf /'", root],
  ["watch rm -rf /", root],
  ["parallel rm -rf ::: /a /b", ["/a recursive", "/b recursive"]],
  ["xargs -a x rm -rf", ["/ recursive maybe"]],
  ["exec rm -rf /", root],
  ["builtin command time -p rm -rf /", root],
  ["chroot /mnt rm -rf /", root],
  ["flock /tmp/l rm -rf /", root],
  ["npx rimraf /", root],
  ["unheard-of-wrapper --x rm -rf /", ["/ recursive maybe"]],
  ["trap 'rm -rf /' EXIT", root],
  ["alias x='rm -rf /'", ["/ recursive maybe"]],
  ["git submodule foreach 'rm -rf /'", root],
  ["git rebase -x 'rm -rf /' main", root],
  ["git -c 'alias.x=!rm -rf /' x", root],
]);

table("compound commands (class 4)", [
  ["npm test && rm -rf /", root],
  [`${"true; ".repeat(70)}rm -rf /`, root],
  ["cd / ; rm -rf *", ["/* recursive"]],
  ["cd pkg && rm -rf dist", ["/home/dev/app/pkg/dist recursive"]],
  ["(cd / && ls); rm -rf x", ["/home/dev/app/x recursive"]],
  ["if true; then rm -rf /; fi", root],
  ["while :; do rm -rf /; done", root],
  ["case $x in a) rm -rf / ;; esac", possibly],
  ["f() { rm -rf /; }", possibly],
  ['f() { rm -rf "$1"; }; f /etc', ["/etc recursive"]],
  ["{ rm -rf /; } &", root],
  ['for d in /a /b; do rm -rf "$d"; done', ["/a recursive", "/b recursive"]],
  ["cd x || exit 1; rm -rf y", ["/home/dev/app/x/y recursive"]],
  ["cd -P /srv; rm -rf data", ["/home/dev/app/data recursive maybe", "/srv/data recursive maybe"]],
  ["false || rm -rf /", root],
  ["! rm -rf /", root],
  ["coproc rm -rf /", root],
  ['set -- /etc; rm -rf "$1"', ["/etc recursive"]],
]);

table("substitutions (class 5)", [
  ['echo "$(rm -rf /x)"', ["/x recursive"]],
  ["echo `rm -rf /x`", ["/x recursive"]],
  ["cat <<EOF\n$(rm -rf /x)\nEOF", ["/x recursive"]],
  ["cat > docs/a.md <<'EOF'\nrm -rf /\n$(rm -rf /)\nEOF", []],
  ["diff <(rm -rf /x) b", ["/x recursive"]],
  ["X=$(rm -rf /x)", ["/x recursive"]],
  ["echo hi > $(rm -rf /x)", ["/x recursive"]],
  ["echo $((1 + $(rm -rf /x)))", ["/x recursive"]],
  ["echo ${Y:-$(rm -rf /x)}", ["/x recursive"]],
  ["[[ -n $(rm -rf /x) ]]", ["/x recursive"]],
  ["a=($(rm -rf /x))", ["/x recursive"]],
  ["echo {a,$(rm -rf /x)}", ["/x recursive"]],
]);

table("quotes, braces, variables and globs (class 6)", [
  ["r''m -rf /", root],
  ["r\\m -rf /", root],
  ['"rm" -rf /', root],
  ["$'\\x72m' -rf /", root],
  ["rm${IFS}-rf${IFS}/", root],
  ["IFS=,; X=rm,-rf,/; $X", root],
  ["{rm,-rf,/}", root],
  ["X=/etc; rm -rf $X", ["/etc recursive"]],
  ["X=r; Y=m; $X$Y -rf /", root],
  ['a=(rm -rf /); "${a[@]}"', root],
  ["rm -rf ${UNSET:-/etc}", ["/etc recursive"]],
  ['rm -rf "$UNSET/"', ["/ recursive maybe"]],
  ['rm -rf "${UNSET:?}/"', ["/? recursive maybe"]],
  ["rm -rf /tmp/$UNSET", ["/tmp recursive maybe"]],
  ["rm -rf $HOME", home],
  ["rm -rf ~", home],
  ['rm -rf "$PWD"', ["/home/dev/app recursive"]],
  ["rm -rf /b?n", ["/b?n recursive"]],
  ["/b?n/rm -rf /usr", ["/usr recursive maybe"]],
  ["/bin/r? -rf /usr", ["/usr recursive maybe"]],
  ["$UNKNOWN /usr -rf", ["/usr recursive maybe"]],
  ["$SUDO rm -rf /", ["/home/dev/app/rm recursive maybe", "/ recursive maybe", "/ recursive maybe"]],
  ['d=$(mktemp -d); rm -rf "$d"', ["/tmp/tmp.* recursive"]],
  ["rm -rf '~'", ["/home/dev/app/~ recursive"]],
  ["rm '*'", ["/home/dev/app/*"]],
]);

table("encodings and nested shells (classes 7 and 8)", [
  ["sh -c 'rm -rf /'", root],
  ['bash -lc "rm -rf /"', root],
  ["sh -c 'sh -c \"rm -rf /\"'", root],
  ["sh -c 'rm -rf \"$1\"' _ /etc", ["/etc recursive"]],
  ["eval rm -rf /", root],
  ['eval "rm -rf $X/"', ["/ recursive maybe"]],
  ["echo 'rm -rf /' | sh", root],
  ["printf 'rm -rf %s' / | bash", root],
  ["bash <<EOF\nrm -rf /\nEOF", root],
  ["bash <<< 'rm -rf /'", root],
  ["cat <<'EOF' | sudo bash\nrm -rf /\nEOF", root],
  ["echo cm0gLXJmIC8= | base64 -d | sh", root],
  ["echo '/ fr- mr' | rev | sh", root],
  ["echo 'rm -rf /' | tee log | sh", root],
  ["source <(echo rm -rf /)", root],
  ['bash -c "cd $DIR && rm -rf *"', ["/?/* recursive maybe"]],
  ['while read x; do rm -rf "$x"; done < list', ["/ recursive maybe"]],
]);

table("mention only (class 23)", [
  ["grep -r 'rm -rf /' docs", []],
  ['echo "rm -rf /"', []],
  ['git commit -m "rm -rf /"', []],
  ["git commit -m \"$(cat <<'EOF'\nrm -rf /\nEOF\n)\"", []],
  ["npm test -- -t 'rm -rf /'", []],
  ["psql -c \"select 'rm -rf /'\"", []],
  ["# rm -rf /\nls", []],
  ["printf '%s\\n' 'rm -rf /' > notes.md", []],
]);
