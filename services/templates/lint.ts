/** Rejects constructs that Handlebars accepts but templates must not use. */
import Handlebars from 'handlebars'

export interface Lint {
  readonly faults: { line: number; column: number; message: string }[]
  /** `line:column` → the name as written in the template. */
  readonly paths: Map<string, string>
}
interface Rules {
  /** Plain text: no escaping, and no checks of attributes. */
  readonly plain: boolean
  readonly partials: ReadonlySet<string>
  /** Helpers with strict arguments. */
  readonly helpers: ReadonlySet<string>
}

const URL_ATTRIBUTE = /\b(href|src|action|formaction|poster)\s*=\s*(["']?)$/i

/** Checks a parsed template, and makes arguments of helpers strict, because Handlebars lets them be undefined. */
export function lint(ast: hbs.AST.Program, rules: Rules): Lint {
  const found: Lint = { faults: [], paths: new Map() }
  const report = (node: hbs.AST.Node, message: string) => {
    found.faults.push({ line: node.loc.start.line, column: node.loc.start.column, message })
  }

  const position = createHtmlPosition()

  class LintVisitor extends Handlebars.Visitor {
    override ContentStatement(node: hbs.AST.ContentStatement): void {
      position.read(String(node.original))
    }
    override Program(program: hbs.AST.Program): void {
      program.body.forEach((node, index) => {
        if (node.type === 'MustacheStatement' && !rules.plain)
          checkAttribute(node as hbs.AST.MustacheStatement, program.body[index - 1])
      })
      super.Program(program)
    }
    override MustacheStatement(node: hbs.AST.MustacheStatement): void {
      if (!node.escaped && !rules.plain) report(node, 'this inserts an unescaped value: use two braces')
      const { original } = node.path as hbs.AST.PathExpression
      if (rules.helpers.has(original) && node.params.length === 0)
        report(node, `the helper ${original} needs a value: for a name in the data write {{this.${original}}}`)
      if (original === 'markdown' && position.isInTag())
        report(node, "the helper markdown inserts elements, which an attribute can't contain: insert the value itself")
      makeStrict(node)
      super.MustacheStatement(node)
    }
    override BlockStatement(node: hbs.AST.BlockStatement): void {
      const { original } = node.path as hbs.AST.PathExpression
      if (rules.helpers.has(original))
        report(node, `the helper ${original} can't be a block: for a name in the data write {{#with this.${original}}}`)
      super.BlockStatement(node)
    }
    override SubExpression(node: hbs.AST.SubExpression): void {
      if ((node.path as hbs.AST.PathExpression).original === 'markdown')
        report(node, "the helper markdown inserts elements, which can't be a value of another helper")
      makeStrict(node)
      super.SubExpression(node)
    }
    override PartialStatement(node: hbs.AST.PartialStatement): void {
      const name = node.name.type === 'PathExpression' ? (node.name as hbs.AST.PathExpression).original : undefined
      if (name === undefined) report(node, 'the name of a partial must be written in the template')
      else if (!rules.partials.has(name)) report(node, `there is no partial '${name}'`)
      super.PartialStatement(node)
    }
    override PathExpression(node: hbs.AST.PathExpression): void {
      found.paths.set(`${node.loc.start.line}:${node.loc.start.column}`, node.original)
    }
  }

  function checkAttribute(node: hbs.AST.MustacheStatement, before: hbs.AST.Statement | undefined): void {
    const text = before?.type === 'ContentStatement' ? (before as hbs.AST.ContentStatement).original : ''
    const [, name, quote] = URL_ATTRIBUTE.exec(String(text)) ?? []
    if (!name) return
    const helper = (node.path as hbs.AST.PathExpression).original
    if (helper !== 'url' && helper !== 'asset') report(node, `a URL in ${name} needs a helper: use {{url ${helper}}}`)
    if (!quote) report(node, `put quotes around the value of ${name}`)
  }
  function makeStrict(node: { path: hbs.AST.Node; params: hbs.AST.Expression[] }): void {
    if (!rules.helpers.has((node.path as hbs.AST.PathExpression).original)) return
    for (const value of node.params) if (value.type === 'PathExpression') Object.assign(value, { strict: true })
  }

  new LintVisitor().accept(ast)
  return found
}

/** What ends each part of HTML, by what began it. A quote ends within its tag. */
const ENDS: Readonly<Record<string, RegExp>> = {
  '': /<!--|<(?=[a-z/!?]|$)/gi,
  '<!--': /-->/g,
  '<': /[>"']/g,
  '"': /"/g,
  "'": /'/g,
}

/** Finds out whether the text of a template ends within a tag. */
function createHtmlPosition() {
  /** `<`, `<!--`, or the quote of an attribute; empty between tags. */
  let open = ''
  const afterEnd = (found: string): string => {
    if (open === '') return found
    if (open === '<') return found === '>' ? '' : found
    return open === '<!--' ? '' : '<'
  }
  return {
    read(text: string): void {
      for (let at = 0; ; ) {
        const end = ENDS[open] as RegExp
        end.lastIndex = at
        const found = end.exec(text)
        if (!found) return
        at = end.lastIndex
        open = afterEnd(found[0])
      }
    },
    isInTag: () => open !== '' && open !== '<!--',
  }
}
