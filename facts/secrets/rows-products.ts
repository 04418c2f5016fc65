import type { Detector } from "./detector.ts";
import { named, shape } from "./detector.ts";

const uuid = "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}";

/** Beginnings of Asana tokens: longer words, since a digit and a slash occur in any log. */
const asanaStarts = [..."0123456789"].flatMap((digit) => [`1/${digit}`, `2/${digit}`]);

/** Keys of chat, payment, mail and office services. Sources: each provider's documentation. */
export const productRows: readonly Detector[] = [
  {
    id: "secrets/teams-webhook",
    title: "Microsoft Teams webhook address",
    pattern: `(https://[a-z0-9-]{1,60}\\.webhook\\.office\\.com/webhookb2/${uuid}@${uuid}/[A-Za-z]{1,30}/[a-f0-9]{32}/${uuid})`,
    keywords: [".webhook.office.com"],
    confidence: "high",
  },
  shape("facebook-token", "Facebook access token", ["EAA"], "EAA[A-Z][A-Za-z0-9]{90,300}\\b", {
    checks: "random",
    entropy: 4,
  }),
  shape(
    "twitter-bearer-token",
    "X bearer token",
    ["%2B", "%2F", "%3D"],
    "A{16,24}[A-Za-z0-9]{4,20}(?:%2B|%2F|%3D)[A-Za-z0-9%]{40,140}",
    { checks: "random" },
  ),
  named("twitch-token", "Twitch token", ["twitch"], "(?:oauth:)?[a-z0-9]{30}"),
  named("line-token", "LINE channel token", ["line_channel", "line_access"], "[a-z0-9+/]{150,200}={0,2}"),
  named("mattermost-token", "Mattermost token", ["mattermost"], "[a-z0-9]{26}"),
  named("zoom-secret", "Zoom secret", ["zoom"], "[a-z0-9]{32}"),
  named("intercom-token", "Intercom token", ["intercom"], "dG9rO[a-z0-9+/]{50,60}={0,2}", { confidence: "high" }),
  {
    id: "secrets/braintree-token",
    title: "PayPal Braintree access token",
    pattern: "(access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32})\\b",
    keywords: ["access_token$"],
    confidence: "high",
    entropy: 3,
  },
  named("paypal-secret", "PayPal client secret", ["paypal"], "E[a-z0-9_-]{70,90}"),
  shape("adyen-key", "Adyen key", ["AQE"], "AQE[a-z]hmfuXNWTK0Qc\\+[A-Za-z0-9+/=_-]{60,200}"),
  shape("razorpay-key", "Razorpay key", ["rzp_live_", "rzp_test_"], "rzp_(?:live|test)_[A-Za-z0-9]{14}\\b"),
  shape("flutterwave-key", "Flutterwave key", ["FLWSECK"], "FLWSECK(?:_TEST)?-[A-Za-z0-9]{32,40}-X\\b"),
  shape("mollie-key", "Mollie key", ["live_", "test_"], "(?:live|test)_[A-Za-z0-9]{30}\\b", {
    checks: "random",
    entropy: 3.8,
  }),
  shape("plaid-token", "Plaid access token", ["access-"], `access-(?:sandbox|development|production)-${uuid}\\b`),
  shape("shippo-token", "Shippo token", ["shippo_"], "shippo_(?:live|test)_[a-f0-9]{40}\\b"),
  shape("easypost-key", "EasyPost key", ["EZAK", "EZTK"], "EZ[AT]K[A-Za-z0-9]{54}\\b"),
  shape("duffel-token", "Duffel token", ["duffel_"], "duffel_(?:live|test)_[A-Za-z0-9_-]{43}"),
  named("coinbase-secret", "Coinbase secret", ["coinbase"], "[a-z0-9_-]{32,88}={0,2}"),
  shape("brevo-key", "Brevo key", ["xkeysib-", "xsmtpsib-"], "x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}\\b"),
  shape("resend-key", "Resend key", ["re_"], "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}\\b", {
    checks: "random",
    entropy: 3.8,
  }),
  named("postmark-token", "Postmark token", ["postmark"], uuid),
  shape("mailersend-token", "MailerSend token", ["mlsn."], "mlsn\\.[a-f0-9]{64}\\b"),
  shape("klaviyo-key", "Klaviyo key", ["pk_"], "pk_[a-f0-9]{34}\\b"),
  named("mailjet-secret", "Mailjet secret", ["mailjet"], "[a-f0-9]{32}"),
  named("twilio-auth-token", "Twilio auth token", ["twilio"], "[a-f0-9]{32}"),
  shape("asana-token", "Asana token", asanaStarts, "[12]/\\d{10,20}(?:/\\d{10,20})?:[a-f0-9]{32}\\b"),
  shape("airtable-token", "Airtable token", ["pat"], "pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}\\b"),
  shape("clickup-token", "ClickUp token", ["pk_"], "pk_\\d{5,12}_[A-Z0-9]{32}\\b"),
  shape("hubspot-token", "HubSpot token", ["pat-"], `pat-(?:na|eu|ap)\\d-${uuid}\\b`),
  named("zendesk-token", "Zendesk token", ["zendesk"], "[a-z0-9]{40}"),
  shape("contentful-token", "Contentful token", ["CFPAT-"], "CFPAT-[A-Za-z0-9_-]{43}"),
  shape("dropbox-token", "Dropbox token", ["sl."], "sl\\.(?:u\\.)?[A-Za-z0-9_-]{130,1000}", {
    checks: "random",
    entropy: 4,
  }),
  shape("typeform-token", "Typeform token", ["tfp_"], "tfp_[A-Za-z0-9_]{40,70}(?:-[A-Za-z0-9_]{1,20})?"),
  shape("readme-key", "ReadMe key", ["rdme_"], "rdme_[a-z0-9]{70}\\b"),
  shape("trello-token", "Trello token", ["ATTA"], "ATTA[a-zA-Z0-9]{60,76}\\b"),
  shape("notion-secret", "Notion token in its older form", ["secret_"], "secret_[A-Za-z0-9]{43}\\b", {
    checks: "random",
  }),
  shape("salesforce-token", "Salesforce session", ["00D"], "00D[A-Za-z0-9]{12}![A-Za-z0-9._]{80,200}"),
  shape("mapbox-token", "Mapbox secret token", ["sk.eyJ"], "sk\\.eyJ[A-Za-z0-9_-]{40,200}\\.[A-Za-z0-9_-]{20,40}"),
  shape("shopify-access-token", "Shopify application token", ["shpua_", "shpit_"], "shp(?:ua|it)_[a-fA-F0-9]{32}\\b"),
  named("okta-token", "Okta token", ["okta"], "00[a-z0-9_-]{40}"),
  named("auth0-secret", "Auth0 client secret", ["auth0"], "[a-z0-9_-]{64}"),
  named("algolia-key", "Algolia key", ["algolia"], "[a-f0-9]{32}"),
  shape("linear-oauth-token", "Linear OAuth token", ["lin_oauth_"], "lin_oauth_[a-f0-9]{64}\\b"),
];
