/** Environment of a call that an example or a lint makes up, where it says nothing else. */
export const exampleEnvironment = {
  cwd: "/home/dev/app",
  workspace: "/home/dev/app",
  home: "/home/dev",
  user: "dev",
  os: "linux",
  shell: "bash",
  branch: "feature/x",
  default_branch: "main",
  interactive: false,
} as const;
