import { type Field, literalField, rewritten, shapeOf, together } from "../shell/fields.ts";
import type { Call, Effects } from "./program.ts";

/** `az storage blob upload -c box -n name -f file` and similar commands: a file or folder goes to a container or share, or comes. */
export function azureObjects(direction: "upload" | "download"): Effects {
  return (call) => {
    const isBatch = call.subcommand.endsWith("-batch");
    const [here, there] = direction === "upload" ? ["--source", "--destination"] : ["--destination", "--source"];
    for (const file of [...call.values("--file"), ...call.values(here ?? "")])
      if (direction === "upload") call.to.read(file, isBatch ? { recursive: true } : {});
      else call.to.write(file);
    call.to.network(addressOf(call, call.value(there ?? "")), direction);
  };
}

/** Returns the address of what a call names. An upload without a name takes that of the file. */
function addressOf(call: Call, other: Field | undefined): Field {
  const whole = call.value("--blob-url") ?? (other && /^https?:\/\//i.test(shapeOf(other)) ? other : undefined);
  if (whole) return whole;
  const kind = call.subcommand.includes(" file ") ? "file" : "blob";
  const host = (name: string): string => `https://${name}.${kind}.core.windows.net/`;
  const account = call.value("--account-name");
  const text = (value: string): Field => literalField(value, call.draft.place);
  const file = call.value("--file");
  const name = call.value("--name") ?? (file && rewritten(file, (value) => value.replace(/^.*[\\/]/s, "")));
  const box = call.value("--container-name") ?? call.value("--share-name") ?? other;
  const base = account ? rewritten(account, host) : text(host("account"));
  if (!box) return base;
  const inBox = together(base, box);
  return name ? together(together(inBox, text("/")), name) : inBox;
}
