import * as act from "./actions.ts";
import { type Action, actions, type Language } from "./language.ts";
import { type Lexicon, lineEnds, words } from "./lexicon.ts";
import { joined, knownText, textValue, unknown, type Value } from "./values.ts";

const lexicon: Lexicon = {
  lineEnd: lineEnds.feedOrReturn,
  commentEnd: "?>",
  lineComments: ["//", "#"],
  blockComments: [["/*", "*/"]],
  quotes: [
    { open: '"', close: '"', escapes: "c", interpolation: "php" },
    { open: "'", close: "'", escapes: "quote" },
    { open: "`", close: "`", escapes: "c", kind: "run", interpolation: "php" },
  ],
  newlines: false,
  regex: false,
  nameStart: /[\p{L}_$\\]/u,
  namePart: /[\p{L}\p{N}_\\]/u,
  keywords: words(
    "function fn class new_ if else elseif while for foreach as do switch case return break continue try catch finally throw use namespace public private protected static extends implements and or xor instanceof echo print const abstract final interface trait php",
  ),
  members: new Set(["->", "::", "?."]),
  joins: new Set(["."]),
  adjacent: "none",
  bareCalls: "texts",
  hereDocument: /^<<</,
  braces: "block",
  pairs: new Set(["=>", ":"]),
};

/** Calls the function named by a text, with the other arguments or each item of a list. */
const namedCall: Action = (call) => {
  const name = call.args.map(knownText).find((text) => text !== undefined && /^[a-z_]\w*$/i.test(text));
  const action = name === undefined ? undefined : php.calls.get(name);
  if (action && name !== undefined && name !== call.name) {
    const args = call.args
      .filter((arg) => knownText(arg) !== name)
      .flatMap((arg) => (arg.kind === "list" && arg.named.size === 0 ? arg.items : [arg]));
    for (const arg of args.slice(0, 64))
      action({
        name,
        args: [arg],
        named: call.named,
        on: undefined,
        to: call.to,
        evaluate: (code) => call.evaluate(code),
      });
    return undefined;
  }
  if (call.args.some((arg) => arg.kind === "text" || (arg.kind === "name" && !arg.on)))
    call.to.doubt("it calls what it names by a text");
  return undefined;
};

/** PHP. */
export const php: Language = {
  name: "php",
  lexicon,
  calls: actions([
    ["system exec shell_exec passthru popen proc_open", act.shellOrWords],
    ["pcntl_exec", act.program()],
    ["unlink rmdir", act.deletes(false, 0)],
    ["rename move_uploaded_file", act.moves],
    ["copy", act.copies],
    ["symlink link", act.links],
    ["file_put_contents mkdir touch chmod chown chgrp tempnam", act.writes()],
    [
      "file_get_contents file readfile parse_ini_file highlight_file show_source simplexml_load_file include include_once require require_once",
      act.reads(),
    ],
    ["fopen SplFileObject gzopen", act.opens()],
    ["scandir opendir dir", act.reads(0, { metadata: true })],
    [
      "curl_init get_headers fsockopen pfsockopen stream_socket_client dns_get_record gethostbyname checkdnsrr mail SoapClient",
      act.fetches("both"),
    ],
    ["stream_socket_server socket_bind socket_connect", act.listens],
    ["chdir", act.changesFolder],
    ["posix_kill", act.kills],
    [
      "eval assert create_function",
      (call) => {
        call.evaluate(call.args.at(-1) ?? unknown);
        return undefined;
      },
    ],
    [
      "call_user_func call_user_func_array array_map usort register_shutdown_function array_walk array_filter preg_replace_callback",
      namedCall,
    ],
    ["unserialize dl FFI.cdef extract", act.doubts("it loads what is not known")],
  ]),
  folds: actions([
    ["base64_decode", (call) => act.decodesBase64(call.args[0])],
    ["hex2bin", (call) => act.decodesHex(call.args[0])],
    ["chr", act.characters],
    ["getenv", (call) => (knownText(call.args[0]) === "HOME" ? { kind: "text", text: "~", home: true } : undefined)],
    ["getcwd", () => textValue(".")],
    ["glob", act.globs],
    ["escapeshellarg escapeshellcmd trim realpath strtolower strval urldecode", act.same],
    [
      "strrev",
      (call) => {
        const text = knownText(call.args[0]);
        return text === undefined ? undefined : textValue([...text].reverse().join(""));
      },
    ],
    [
      "implode join",
      (call) => {
        const [separator = unknown, list] = call.args;
        return list?.kind === "list"
          ? list.items.reduce<Value | undefined>(
              (all, item) => (all ? joined(joined(all, separator), item) : item),
              undefined,
            )
          : undefined;
      },
    ],
    ["array", (call) => ({ kind: "list", items: call.args, named: call.named })],
    ["str_replace", (call) => act.replaces({ ...call, on: call.args[2], args: call.args.slice(0, 2) })],
  ]),
  methods: new Map(),
  pure: words(
    `echo print printf sprintf vsprintf print_r var_dump var_export json_encode json_decode strlen count sizeof substr strpos strrpos strstr stripos str_repeat str_pad str_contains str_starts_with str_ends_with ucfirst ucwords lcfirst strtoupper rtrim ltrim nl2br explode number_format round floor ceil abs max min sum array_sum array_product array_keys array_values array_merge array_slice array_splice array_push array_pop array_shift array_unshift array_reverse array_unique array_flip array_combine array_fill array_column array_search array_key_exists in_array range sort rsort ksort krsort asort arsort shuffle array_rand list isset unset empty is_array is_string is_int is_numeric is_null is_bool is_callable is_float is_object intval floatval boolval settype gettype
     date time mktime strtotime microtime hrtime date_default_timezone_set date_default_timezone_get checkdate md5 sha1 hash crc32 password_hash password_verify random_int random_bytes rand mt_rand uniqid phpversion php_sapi_name php_uname php_ini_loaded_file sys_get_temp_dir extension_loaded get_loaded_extensions ini_get ini_set error_reporting set_time_limit memory_get_usage memory_get_peak_usage phpinfo function_exists class_exists method_exists define defined constant exit die usleep sleep file_exists is_file is_dir is_readable is_writable filesize filemtime basename dirname pathinfo parse_url parse_str http_build_query urlencode rawurlencode htmlspecialchars html_entity_decode strip_tags addslashes base64_encode bin2hex ord dechex hexdec decbin bindec preg_match preg_match_all preg_replace preg_split preg_quote mb_strlen mb_substr mb_strtoupper mb_strtolower ctype_digit ctype_alpha iterator_to_array fgets fgetcsv fclose feof fread stream_get_contents fwrite fputs fflush ucwords wordwrap similar_text levenshtein soundex metaphone array_diff array_intersect array_chunk compact serialize
     DateTime DateTimeImmutable DateInterval stdClass ArrayObject Exception RuntimeException DateTime.* PDO.getAvailableDrivers sqrt pow pi sin cos tan log exp fmod gcd usleep spl_object_id`,
  ),
  pureMethods: words("format modify add sub diff getTimestamp setTimezone getMessage getTraceAsString"),
  modules: new Set(),
  constants: new Map<string, Value>([
    ["DIRECTORY_SEPARATOR", textValue("/")],
    ["$_SERVER.HOME", { kind: "text", text: "~", home: true }],
  ]),
  argv: [["$argv", 1]],
  canonical: (name) => name.replace(/^\\/, "").replace(/::/g, "."),
};
