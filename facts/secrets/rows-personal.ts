import type { Detector } from "./detector.ts";

const digits = "0123456789";

/** Country codes at the beginning of account numbers. Source: ISO 13616 registry. */
const countries =
  "AD AE AL AT AZ BA BE BG BH BR BY CH CR CY CZ DE DK DO EE EG ES FI FO FR GB GE GI GL GR GT HR HU IE IL IQ IS IT JO KW KZ LB LC LI LT LU LV LY MC MD ME MK MR MT MU NL NO PK PL PS PT QA RO RS SA SC SE SI SK SM ST SV TL TN TR UA VA VG XK";

/** Personal data. It is a separate group, `pii/*`, because much of it is no secret. */
export const personalRows: readonly Detector[] = [
  {
    id: "pii/card",
    title: "Payment card number",
    pattern: "\\b([2-6]\\d{3}(?:[ -]?\\d{4}){2}[ -]?\\d{1,7}|3[47]\\d{2}[ -]?\\d{6}[ -]?\\d{5})\\b",
    keywords: [...digits.slice(2, 7)],
    confidence: "high",
    checks: "card",
    follows: "digits",
  },
  {
    id: "pii/iban",
    title: "International bank account number",
    pattern: "\\b([A-Z]{2}\\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)\\b",
    keywords: countries.split(" "),
    confidence: "high",
    checks: "iban",
  },
  {
    id: "pii/email",
    title: "E-mail address",
    pattern:
      "\\b([A-Za-z0-9](?:[A-Za-z0-9._%+-]{0,62}[A-Za-z0-9_%+-])?@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.){1,6}[A-Za-z]{2,24})\\b",
    keywords: ["@"],
    confidence: "medium",
  },
  {
    id: "pii/phone",
    title: "Telephone number",
    pattern:
      "((?:\\+[1-9]\\d{0,2}[ .-]?(?:\\(\\d{1,4}\\)[ .-]?)?\\d{1,4}(?:[ .-]?\\d{2,4}){2,4}|\\(\\d{3}\\) ?\\d{3}[ .-]\\d{4}))\\b",
    keywords: ["+", "("],
    confidence: "low",
  },
  {
    id: "pii/ssn",
    title: "Social security number of the United States",
    pattern:
      "\\b((?:00[1-9]|0[1-9]\\d|[1-578]\\d{2}|6[0-57-9]\\d|66[0-57-9])-(?:0[1-9]|[1-9]\\d)-(?:\\d{3}[1-9]|\\d{2}[1-9]0|\\d[1-9]00|[1-9]000))\\b",
    keywords: [...digits].map((digit) => `${digit}-`),
    confidence: "medium",
  },
];
