/** Finds names in a page template that its data lacks, such as a field that a collection doesn't have. */

import { type DataShape, didYouMean, formatList } from '@larder-dev/larder/kernel/internal'
import Handlebars from 'handlebars'
import type { TemplateProblem, TemplateSource } from '../engine.ts'
import { HELPERS } from '../helpers.ts'

/** @param names of the template's data; other names are unknown. */
export function pageNameProblems(
  source: TemplateSource,
  names: Readonly<Record<string, DataShape>>,
): TemplateProblem[] {
  const visitor = new NameVisitor({ keys: names, of: 'the data of this template' })
  visitor.accept(Handlebars.parse(source.text))
  return visitor.faults.map(({ node, message }) => ({
    file: source.file,
    line: node.loc.start.line + (source.line ?? 1) - 1,
    column: node.loc.start.column + 1,
    message,
  }))
}

interface Fault {
  readonly node: hbs.AST.Node
  readonly message: string
}

const CALLS = new Set(['if', 'unless', 'each', 'with', 'text', 'asset', ...Object.keys(HELPERS)])
const FREE: DataShape = undefined

class NameVisitor extends Handlebars.Visitor {
  readonly faults: Fault[] = []
  /** The innermost context last. */
  #contexts: readonly DataShape[]
  #locals: ReadonlyMap<string, DataShape> = new Map()

  constructor(root: DataShape) {
    super()
    this.#contexts = [root]
  }

  override PathExpression(path: hbs.AST.PathExpression): void {
    this.#shapeOf(path, message => this.faults.push({ node: path, message }))
  }

  override MustacheStatement(node: hbs.AST.MustacheStatement): void {
    this.#call(node)
  }
  override SubExpression(node: hbs.AST.SubExpression): void {
    this.#call(node)
  }
  #call({ path, params, hash }: hbs.AST.MustacheStatement | hbs.AST.SubExpression): void {
    if (isMarkdownCall(path)) this.#checkMarkdown(params[0])
    if (path.type === 'PathExpression' && !CALLS.has((path as hbs.AST.PathExpression).original)) this.accept(path)
    this.acceptArray(params)
    if (hash) this.accept(hash)
  }

  #checkMarkdown(value: hbs.AST.Expression | undefined): void {
    if (value?.type !== 'PathExpression') return
    const shape = this.#shapeOf(value as hbs.AST.PathExpression)
    if (shape && !('isMarkdown' in shape && shape.isMarkdown))
      this.faults.push({ node: value, message: 'the helper markdown needs a field of the type markdown' })
  }

  override BlockStatement({ path, params, hash, program, inverse }: hbs.AST.BlockStatement): void {
    this.acceptArray(params)
    if (hash) this.accept(hash)
    const name = (path as hbs.AST.PathExpression).original
    const inner = name === 'each' || name === 'with' ? this.#blockContext(name, params[0]) : undefined
    if (program && inner) this.#within(inner.shape, program)
    else if (program) this.accept(program)
    if (inverse) this.accept(inverse)
  }

  /** The name of a partial is not a name of data, and its own data depends on its parameters. */
  override PartialStatement({ params, hash }: hbs.AST.PartialStatement): void {
    this.acceptArray(params)
    if (hash) this.accept(hash)
  }

  #blockContext(name: 'each' | 'with', value: hbs.AST.Expression | undefined): { shape: DataShape } {
    const shape = value?.type === 'PathExpression' ? this.#shapeOf(value as hbs.AST.PathExpression) : FREE
    if (name === 'with') return { shape }
    return { shape: shape && 'items' in shape ? shape.items : FREE }
  }

  #within(shape: DataShape, program: hbs.AST.Program): void {
    const [contexts, locals] = [this.#contexts, this.#locals]
    const [item, key] = program.blockParams ?? []
    this.#contexts = [...contexts, shape]
    this.#locals = new Map([
      ...locals,
      ...(item ? [[item, shape] as const] : []),
      ...(key ? [[key, FREE] as const] : []),
    ])
    this.accept(program)
    this.#contexts = contexts
    this.#locals = locals
  }

  #shapeOf(path: hbs.AST.PathExpression, report: (message: string) => void = () => {}): DataShape {
    if (path.data) return FREE
    const [first, ...rest] = path.parts
    if (path.depth === 0 && first !== undefined && !/^(this\b|\.)/.test(path.original) && this.#locals.has(first))
      return follow(this.#locals.get(first), rest, report)
    return follow(this.#contexts.at(-1 - path.depth), path.parts, report)
  }
}

const isMarkdownCall = (path: hbs.AST.Node): boolean => (path as hbs.AST.PathExpression).original === 'markdown'

function follow(shape: DataShape, parts: readonly string[], report: (message: string) => void): DataShape {
  const [first, ...rest] = parts
  if (first === undefined || shape === undefined) return shape
  const keys: Readonly<Record<string, DataShape>> = 'items' in shape ? { length: FREE } : shape.keys
  if (Object.hasOwn(keys, first)) return follow(keys[first], rest, report)
  const of = 'items' in shape ? 'a list, whose items are read with {{#each}}' : shape.of
  const known = Object.keys(keys)
  const hint = didYouMean(first, known) ?? (known.length > 1 ? `Names are ${formatList(known)}` : undefined)
  report(`Unknown name "${first}" in ${of}${hint ? `. ${hint}` : ''}`)
  return FREE
}
