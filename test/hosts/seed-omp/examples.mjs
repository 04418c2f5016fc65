/*
 * What the examples of the seeds do, with harmless words in place of the seeds' commands: a guard that asks where there is a
 * human, a redactor, filters of the context, and a command that begins a session.
 */
export default function examples(pi) {
  pi.on("tool_call", async (event, ctx) => {
    if (event.toolName !== "bash" || !String(event.input.command ?? "").includes("ASKED")) return;
    if (!ctx.hasUI) return { block: true, reason: "blocked, for there is no human" };
    const allowed = await ctx.ui.confirm("A marked command", `Allow: ${event.input.command}`);
    if (!allowed) return { block: true, reason: "the human refused" };
  });

  pi.on("tool_result", async (event) => {
    if (event.toolName !== "read" || event.isError) return;
    let changed = false;
    const content = event.content.map((chunk) => {
      if (chunk.type !== "text") return chunk;
      const text = chunk.text.replaceAll(/API_KEY=\S+/g, "API_KEY=[REDACTED]");
      changed ||= text !== chunk.text;
      return { ...chunk, text };
    });
    if (changed) return { content };
  });

  pi.on("context", async (event) => ({
    messages: event.messages.filter((one) => !(one.role === "custom" && one.customType === "debug-only")),
  }));

  pi.on("context", async (event) => ({
    messages: event.messages.map((one) => (one.role === "tool" ? { ...one, content: [] } : one)),
  }));

  pi.registerCommand("say-debug", {
    handler: async () => pi.sendMessage({ customType: "debug-only", content: "a word for debugging", display: true }),
  });

  pi.registerCommand("begin-anew", {
    handler: async (_args, ctx) => {
      await ctx.waitForIdle();
      await ctx.newSession({
        parentSession: ctx.sessionManager.getSessionFile(),
        setup: async (sm) => {
          const content = [{ type: "text", text: "Continue from the summary." }];
          sm.appendMessage({ role: "user", content, timestamp: Date.now() });
        },
      });
      process.stderr.write("a new session has begun\n");
    },
  });
}
