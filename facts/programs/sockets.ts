import { type Field, rewritten, together, withText } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program } from "./program.ts";
import { spelled } from "./spelled.ts";

/** A shell that is joined to a connection is controlled by its other end. */
const shellProgram =
  /^\s*(?:exec\s+)?(?:\S*\/)?(?:ba|da|z|k|a|fi)?sh(?:\s+-[il]+)*\s*$|(?:^|\\)(?:cmd|powershell)(?:\.exe)?\s*$/i;

function netcat(call: Call): void {
  const program = call.value("-e") ?? call.value("-c");
  if (program) {
    call.to.run(program.text, true, shellProgram.test(program.text) ? "network" : undefined);
    call.to.doubt("what comes over the network may be run");
  }
  const [host, port] = call.operands;
  const socket = call.value("--unix") ?? (call.has("--unixsock") ? host : undefined);
  if (socket) {
    call.to.write(socket);
    for (const own of call.values("--source")) call.to.write(own);
    if (call.has("--listen")) call.to.config(spelled`listen ${socket}`);
  } else if (call.has("--listen")) call.to.config(spelled`listen ${port ?? call.value("--source-port") ?? host}`);
  else if (host)
    call.to.network(
      port
        ? together(
            rewritten(host, (text) => `tcp://${text}:`),
            port,
          )
        : rewritten(host, (text) => `tcp://${text}`),
      "both",
      host.kind !== "pattern",
    );
}

/** `socat`: two addresses; hosts, files, or programs. */
function socat(call: Call): void {
  for (const address of call.operands) {
    const [, type = "", rest = ""] = /^([A-Za-z0-9-]+):?(.*)$/s.exec(address.text) ?? [];
    const placeOf = (text: string): string => text.replace(/^[A-Za-z0-9-]+:?/, "").replace(/,.*$/s, "");
    const place = rest.replace(/,.*$/s, "");
    const inside = (text: string): Field => ({ ...address, text, verbatim: -1 });
    for (const option of rest.matchAll(/,?\b(?:link|bind)=(\/[^,]+|~[^,]*|\.[^,]*)/gi))
      call.to.write(inside(option[1] as string));
    if (/^unix(?!.*abstract)/i.test(type)) call.to.write(inside(place));
    if (/^unix/i.test(type)) {
      if (/listen|-l$|recv/i.test(type)) call.to.config(`listen ${place}`);
    } else if (/^(?:tcp|udp|sctp|openssl|ssl|proxy|socks)/i.test(type) && !/listen|-l$/i.test(type))
      call.to.network(
        rewritten(address, (text) => `tcp://${placeOf(text)}`),
        "both",
        address.kind !== "pattern",
      );
    else if (/^(?:file|open|gopen|create|pipe)$/i.test(type)) {
      call.to.read(inside(place));
      call.to.write(inside(place));
    } else if (/^(?:exec|system|shell)$/i.test(type)) {
      call.to.run(place, true, shellProgram.test(place) ? "network" : undefined);
      call.to.doubt("what comes over the network may be run");
    } else if (/listen|-l$/i.test(type)) call.to.config(`listen ${place}`);
  }
}

/** Reports sockets that `ssh` makes here: for `-L socket:…`, and the one for shared connections of later calls (`-S`, `ControlPath`). */
export function sshSockets(call: Call): void {
  for (const forward of call.values("-L")) {
    const [own] = forward.text.split(":");
    if (own?.includes("/")) call.to.write(withText(forward, own));
  }
  const controls = call.values("-o").flatMap((option) => {
    const path = /^\s*controlpath[=\s]+(?![=\s])(.+)$/is.exec(option.text)?.[1];
    return path === undefined ? [] : [{ ...option, text: path, verbatim: -1 }];
  });
  for (const control of [...call.values("-S"), ...controls]) if (control.text.includes("/")) call.to.write(control);
}

/** Programs that use sockets: creating one is a write to its path, and so is a request to the program behind it. */
export const socketPrograms: readonly Program[] = [
  program(
    "nc ncat netcat telnet",
    optionList(`
    -e --exec=; -c --sh-exec=; -l --listen; -p --source-port=; -w --wait=; -x=; -X=; -s --source=; -q=;
    -i=; -u --udp; -U --unixsock; -z; -v; -n; -k
  `),
    netcat,
  ),
  program("socat", optionList("-d; -v; -x; -u; -U; -s; -t=; -T=; -b=; -lf=; -L=; -h; -V"), socat),
  program("ssh-agent", optionList("-a=; -c; -D; -d; -k; -s; -t=; -E=; -P=; -O="), (call) => {
    for (const socket of call.values("-a")) call.to.write(socket);
    if (call.has("-k")) call.to.kill("ssh-agent");
  }),
];
