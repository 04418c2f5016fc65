import type { IParserErrorMessageProvider, Lexer, TokenType } from "chevrotain";
import { CstParser } from "chevrotain";
import * as t from "./tokens.ts";

/** Messages that only name the expected token; `syntax-errors.ts` explains the errors. */
const expectations: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => expected.name,
  buildNoViableAltMessage: () => "",
  buildNotAllInputParsedMessage: () => "",
  buildEarlyExitMessage: () => "",
};

/**
 * The grammar of one piece (`groups.ts`) of an expression: language page section 3, CEL's `Expr`. Bracketed groups are single
 * tokens and everything else repeats, so no rule recurses; `build.ts` gives operators their precedence. Syntax that authors write
 * but CEL lacks is accepted here, and `build.ts` refuses it by name.
 */
export class ExpressionGrammar extends CstParser {
  /** `check` also runs chevrotain's checks of the grammar itself, for a test. */
  constructor(check = false) {
    super([...t.vocabulary], {
      recoveryEnabled: true,
      maxLookahead: 2,
      nodeLocationTracking: "none",
      skipValidations: !check,
      errorMessageProvider: expectations,
    });
    this.performSelfAnalysis();
  }

  readonly expression = this.RULE("expression", () => {
    this.SUBRULE(this.operation);
    this.MANY(() => this.SUBRULE(this.branch));
  });

  /** An element of a list, or the content of the brackets of an index. */
  readonly item = this.RULE("item", () => {
    this.OPTION(() => this.CONSUME(t.Question));
    this.SUBRULE(this.expression, { LABEL: "value" });
  });

  /** An entry of a map. */
  readonly entry = this.RULE("entry", () => {
    this.OPTION(() => this.CONSUME(t.Question));
    this.SUBRULE(this.expression, { LABEL: "key" });
    this.CONSUME(t.Colon);
    this.SUBRULE2(this.expression, { LABEL: "value" });
  });

  readonly branch = this.RULE("branch", () => {
    this.CONSUME(t.Question);
    this.SUBRULE(this.operation, { LABEL: "then" });
    this.CONSUME(t.Colon);
    this.SUBRULE2(this.operation, { LABEL: "otherwise" });
  });

  readonly operation = this.RULE("operation", () => {
    this.SUBRULE(this.operand);
    this.MANY(() => this.SUBRULE(this.tail));
  });

  readonly tail = this.RULE("tail", () => {
    this.CONSUME(t.Binary);
    this.SUBRULE(this.operand);
  });

  /** An operand. A minus directly before a number belongs to the number, as in CEL. */
  readonly operand = this.RULE("operand", () => {
    this.MANY({
      GATE: () => !(this.LA(1).tokenType === t.Minus && this.LA(2).tokenType === t.Numeric),
      DEF: () => this.CONSUME(t.Prefix),
    });
    this.SUBRULE(this.primary);
    this.MANY2(() => this.SUBRULE(this.access));
  });

  readonly primary = this.RULE("primary", () => {
    this.OR([
      {
        ALT: () => {
          this.OPTION(() => this.CONSUME(t.Minus));
          this.CONSUME(t.Numeric);
        },
      },
      { ALT: () => this.CONSUME(t.Literal) },
      {
        ALT: () => {
          this.OPTION2(() => this.CONSUME(t.Dot));
          this.CONSUME(t.Word);
          this.OPTION3(() => this.CONSUME(t.Parens, { LABEL: "args" }));
        },
      },
      { ALT: () => this.CONSUME2(t.Parens) },
      { ALT: () => this.CONSUME(t.Brackets) },
      { ALT: () => this.CONSUME(t.Braces) },
    ]);
  });

  readonly access = this.RULE("access", () => {
    this.OR([
      { ALT: () => this.SUBRULE(this.field) },
      { ALT: () => this.CONSUME(t.Brackets) },
      { ALT: () => this.CONSUME(t.Braces) },
    ]);
  });

  readonly field = this.RULE("field", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Dot);
          this.OPTION(() => this.CONSUME(t.Question));
        },
      },
      { ALT: () => this.CONSUME(t.QuestionDot) },
    ]);
    this.CONSUME(t.Field);
    this.OPTION2(() => this.CONSUME(t.Parens, { LABEL: "args" }));
  });

  /** Always false: an inserted token would only move the error elsewhere. */
  protected override canTokenTypeBeInsertedInRecovery(_type: TokenType): boolean {
    return false;
  }
}

/** The lexer and the grammar. */
export interface Engine {
  readonly lexer: Lexer;
  readonly grammar: ExpressionGrammar;
}

let engine: Engine | undefined;

/**
 * Returns the single lexer and grammar of the process. They are built at the first parse, because building costs more than a
 * thousand parses.
 */
export function parseEngine(): Engine {
  engine ??= { lexer: t.createLexer(), grammar: new ExpressionGrammar() };
  return engine;
}
