import type { UrlClass } from "../facts/network/classes.ts";
import type { PathClass } from "../facts/paths/classes.ts";

/** Description of a class, with an example of a member. */
export interface ClassAbout {
  readonly doc: string;
  /** A path or URL of the class, in a project `/home/dev/app` of the home `/home/dev`. */
  readonly example: string;
}

/** The classes of paths that `is` knows, for the reference; a test runs the examples. */
export const pathClassAbout: Readonly<Record<PathClass, ClassAbout>> = {
  protected_root: {
    doc: "`/`, its direct children except temporary folders, the home folder, the project, mount points, and the parents of these: the place by itself, and `X/*` as `X`. Of a path that begins with what is not known, a child of `/` only by a name that those usually have.",
    example: "/etc",
  },
  secret: {
    doc: "Files that hold keys or passwords, and a folder that is taken whole with some in it; examples of them (`.env.example`) and public keys are none.",
    example: ".env",
  },
  agent_config: {
    doc: "Files that steer an agent, an editor, git, a shell, a package manager or CI.",
    example: ".git/hooks/pre-push",
  },
  engine: {
    doc: "The engine's own policies, audit trail, keys, state and program.",
    example: ".hookwarden/policy.yaml",
  },
  engine_place: {
    doc: "Files and folders that the engine runs from on this machine, with all beneath them: `environment.engine`, which hosts' adapters fill. They are of the class `engine` as well.",
    example: "/opt/node/bin/node",
  },
  engine_folder: {
    doc: "A folder above one of those places, by itself or as `X/*`: moved, deleted or replaced, it takes the engine with it.",
    example: "/opt/node",
  },
  fixture: {
    doc: "Settings of a host among the data of tests beneath the project (`fixtures`, `testdata`, below `test`) or in a temporary folder, where no agent of this session reads them: none of its homes, of the folders that it works in, or of those above.",
    example: "test/fixtures/home/.claude/settings.json",
  },
  workspace: { doc: "The project and all beneath it.", example: "src/main.ts" },
  home: { doc: "The home folder and all beneath it.", example: "~/notes.md" },
  temp: { doc: "Folders for scratch data, and what `TMPDIR`, `TEMP` or `TMP` name.", example: "/tmp/x" },
  device: { doc: "Device files, except those that only discard or make data.", example: "/dev/sda" },
  system: { doc: "Folders of the operating system and its packages.", example: "/usr/bin/env" },
};

/** The classes of URLs that `is` knows. */
export const urlClassAbout: Readonly<Record<UrlClass, ClassAbout>> = {
  loopback: {
    doc: "The machine itself, in every form of its address and by its usual names.",
    example: "http://0x7f.1:8080/",
  },
  private: { doc: "Addresses and names of private networks; metadata services too.", example: "http://10.0.0.1/" },
  metadata: {
    doc: "Services at which clouds hand out credentials to their machines.",
    example: "http://169.254.169.254/latest",
  },
  address: { doc: "Any address instead of a name.", example: "https://203.0.113.9/" },
  lookalike: {
    doc: "Names whose letters pass for those of another: mixed scripts in a label, or letters of another script that look like ASCII.",
    example: "https://xn--pypal-4ve.com/",
  },
  data_name: {
    doc: "Names fit to carry data out: very long, of very many labels, or with a long run that is no word.",
    example: "https://4a6f686e20446f652070617373776f7264.example.com/",
  },
};
