import type { Detector } from "./detector.ts";
import { named, shape } from "./detector.ts";

/** Keys of model providers and of services round them. Sources: each provider's documentation. */
export const modelRows: readonly Detector[] = [
  shape("google-auth-key", "Google API key bound to an account", ["AQ.Ab"], "AQ\\.Ab[A-Za-z0-9_-]{40,80}"),
  named("mistral-key", "Mistral key", ["mistral"], "[a-z0-9]{32}"),
  named("cohere-key", "Cohere key", ["cohere", "co_api_key"], "[a-z0-9]{40}"),
  named("deepseek-key", "DeepSeek key", ["deepseek"], "(?:sk-)?[a-f0-9]{32}"),
  named("together-key", "Together key", ["together"], "(?:tgp_v1_[a-z0-9_-]{43}|[a-f0-9]{64})"),
  shape("fireworks-key", "Fireworks key", ["fw_"], "fw_[A-Za-z0-9]{22,24}\\b", { checks: "random", entropy: 3.5 }),
  shape("anyscale-key", "Anyscale key", ["esecret_"], "esecret_[A-Za-z0-9]{26,60}\\b"),
  shape("elevenlabs-key", "ElevenLabs key", ["sk_"], "sk_[a-f0-9]{48}\\b"),
  named("assemblyai-key", "AssemblyAI key", ["assemblyai", "assembly_ai"], "[a-f0-9]{32}"),
  named("deepgram-key", "Deepgram key", ["deepgram"], "[a-f0-9]{40}"),
  shape("pinecone-key", "Pinecone key", ["pcsk_"], "pcsk_[A-Za-z0-9]{5,8}_[A-Za-z0-9]{50,70}\\b"),
  shape("voyage-key", "Voyage key", ["pa-"], "pa-[A-Za-z0-9_-]{43}", { checks: "random", entropy: 4 }),
  shape("jina-key", "Jina key", ["jina_"], "jina_[a-f0-9]{32}[A-Za-z0-9_-]{28}"),
  shape("tavily-key", "Tavily key", ["tvly-"], "tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}\\b"),
  shape("langsmith-key", "LangSmith key", ["lsv2_"], "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}\\b"),
  shape("langfuse-key", "Langfuse secret key", ["sk-lf-"], "sk-lf-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}\\b"),
  named("wandb-key", "Weights & Biases key", ["wandb"], "(?:wandb_v1_[a-z0-9_]{60,90}|[a-f0-9]{40})"),
  shape("cerebras-key", "Cerebras key", ["csk-"], "csk-[a-z0-9]{48}\\b"),
  shape("nvidia-key", "NVIDIA key", ["nvapi-"], "nvapi-[A-Za-z0-9_-]{60,70}"),
  shape("firecrawl-key", "Firecrawl key", ["fc-"], "fc-[a-f0-9]{32}\\b"),
  named("zhipu-key", "Zhipu key", ["zhipu", "bigmodel", "zai_api"], "[a-f0-9]{32}\\.[a-z0-9]{16}"),
  named("stability-key", "Stability key", ["stability"], "sk-[a-z0-9]{48}"),
  named("ai21-key", "AI21 key", ["ai21"], "[a-z0-9]{32}"),
  shape("portkey-key", "Portkey key", ["pk-live-"], "pk-live-[A-Za-z0-9]{24,40}\\b"),
  shape("e2b-key", "E2B key", ["e2b_"], "e2b_[a-f0-9]{40}\\b"),
  shape("cursor-key", "Cursor key", ["crsr_"], "crsr_[a-f0-9]{64}\\b"),
  shape("apify-token", "Apify token", ["apify_api_"], "apify_api_[A-Za-z0-9]{36}\\b"),
];
