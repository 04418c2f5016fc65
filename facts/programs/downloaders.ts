import { type Field, unknownField, withText } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program } from "./program.ts";

/** Returns the file that a download is saved as if no option names one. */
export function remoteName(url: Field, folder: Field | undefined): Field {
  const name =
    (url.text
      .replace(/[?#].*$/s, "")
      .split("/")
      .at(-1) ??
      "") ||
    "index.html";
  return withText(url, folder ? `${folder.text}/${name}` : name);
}

const isAddress = (word: Field): boolean => /^(?:[a-z][a-z0-9+.-]*:|www\.)/i.test(word.text) || word.kind !== "literal";

/**
 * Fetches its addresses into files; `output` is the option for the file, `folder` for the folder, `hooks` for commands that run
 * afterwards.
 */
function downloads(output: string, folder: string, hooks: readonly string[] = []): (call: Call) => void {
  return (call) => {
    const out = call.value(output);
    const into = call.value(folder);
    for (const url of call.operands.filter(isAddress)) {
      call.to.network(url, "download", url.kind !== "pattern");
      if (!out) call.to.write(remoteName(url, into), url.kind === "literal");
    }
    for (const file of call.operands.filter((word) => !isAddress(word))) call.to.read(file, { certain: false });
    if (out && out.text !== "-")
      call.to.write(into && !out.text.startsWith("/") ? withText(out, `${into.text}/${out.text}`) : out);
    for (const list of call.values("--input-file")) {
      if (list.text !== "-") call.to.read(list);
      call.to.network(unknownField(call.draft.place, true), "download", false);
    }
    for (const name of hooks)
      for (const hook of call.values(name)) {
        call.to.run(hook.text, hook.kind !== "unknown");
        call.to.doubt(`what ${call.program} runs afterwards is not analysed`);
      }
  };
}

/** Options of aria2 that name a program to run. */
export const aria2Hooks: readonly string[] = ["complete", "error", "pause", "start", "stop"].map(
  (when) => `--on-download-${when}`,
);

/** Programs whose purpose is to fetch files. Source: their manuals. */
export const downloadPrograms: readonly Program[] = [
  program(
    "aria2c aria2",
    optionList(
      `-o --out=; -d --dir=; -i --input-file=; -x --max-connection-per-server=; -s --split=; -j --max-concurrent-downloads=;
      -k --min-split-size=; -c --continue; -q --quiet; -Z --force-sequential; -l --log=; -U --user-agent=; -t --timeout=;
      -m --max-tries=; -V --check-integrity; -S --show-files; -T --torrent-file=; -M --metalink-file=; --header=;
      --http-user=; --http-passwd=; --referer=; --checksum=; --seed-time=; --all-proxy=; --conf-path=; --save-session=;
      --load-cookies=; --save-cookies=; --allow-overwrite=?; --auto-file-renaming=?; --file-allocation=; --summary-interval=;
      --console-log-level=; ${aria2Hooks.map((name) => `${name}=`).join("; ")}; --on-bt-download-complete=`,
    ),
    downloads("--out", "--dir", [...aria2Hooks, "--on-bt-download-complete"]),
  ),
  program(
    "axel",
    optionList(
      "-o --output=; -n --num-connections=; -s --max-speed=; -H --header=; -U --user-agent=; -q --quiet; -v --verbose; -a --alternate; -k --insecure; -N --no-proxy; -T --timeout=; -c --no-clobber; -S --search=?",
    ),
    downloads("--output", "--directory"),
  ),
  program(
    "yt-dlp youtube-dl you-get gallery-dl",
    optionList(
      "-o --output=; -P --paths=; -f --format=; -a --batch-file --input-file=; -x --extract-audio; -q --quiet; --exec=; --cookies=; --config-location --config-locations=; -u --username=; -p --password=; --audio-format=; -i; -r --limit-rate=; -F",
    ),
    downloads("--output", "--paths"),
  ),
  program("lwp-download", optionList("-a; -s"), (call) => {
    const [url, file] = call.operands;
    if (!url) return;
    call.to.network(url, "download", url.kind !== "pattern");
    call.to.write(file ?? remoteName(url, undefined));
  }),
  program(
    "lynx w3m links elinks httrack GET lwp-request",
    optionList("-dump; -source; -O=; -o=; -T=; -cols=; -width=; -m=; -H=; -C=; -q; -s"),
    (call) => {
      for (const url of call.operands) {
        if (isAddress(url)) call.to.network(url, "download", url.kind !== "pattern");
        else call.to.read(url, { certain: false });
      }
    },
  ),
];
