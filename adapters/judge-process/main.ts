import { serveGuard } from "./serve.ts";

serveGuard();
