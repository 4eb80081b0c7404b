import test from 'ava'
import { createEngine, type Engine, RenderError, TemplateError } from '../../../services/templates/engine.ts'
import { HELPERS } from '../../../services/templates/helpers.ts'

const compile = (text: string, more: Partial<Parameters<Engine['compile']>[0]> = {}) =>
  createEngine(HELPERS).compile({ file: 'a.hbs', text, ...more })
const problemsOf = (text: string, more = {}) => {
  try {
    compile(text, more)
    return []
  } catch (error) {
    if (error instanceof TemplateError) return error.problems
    throw error
  }
}
const render = (text: string, data: Record<string, unknown>, more = {}) => compile(text, more).render(data, 'en')

test('escapes values in HTML but not in plain text', t => {
  t.is(render('<p>{{name}}</p>', { name: '<b>"&' }), '<p>&lt;b&gt;&quot;&amp;</p>')
  t.is(render('{{name}}', { name: '<b>"&' }, { plain: true }), '<b>"&')
})

test('a missing value is an error that names it as written', t => {
  const error = t.throws(() => render('one\n{{user.name}}', { user: {} }), { instanceOf: RenderError })
  t.is(error.missing, 'user.name')
  t.regex(error.message, /'user\.name', which is not in the data, line 2/)
})

test('reports lines of the file if the template starts further down', t => {
  const error = t.throws(() => render('{{gone}}', {}, { line: 7 }), { instanceOf: RenderError })
  t.regex(error.message, /line 7/)
  t.like(problemsOf('{{#if a}}', { line: 7 })[0], { line: 7 })
})

test('arguments of helpers are strict, conditions are not', t => {
  const error = t.throws(() => render('<a href="{{url link}}">', {}), { instanceOf: RenderError })
  t.is(error.missing, 'link')
  t.is(render('{{#if link}}yes{{else}}no{{/if}}{{#each list}}x{{/each}}', {}), 'no')
})

test('templates cannot reach prototypes', t => {
  for (const path of ['constructor', '__proto__', 'toString', 'list.constructor'])
    t.is(render(`[{{${path}}}]`, { list: [] }), '[]', path)
  for (const path of ['user.constructor.name', 'list.length.constructor.name', 'list.push.name'])
    t.throws(() => render(`{{${path}}}`, { user: {}, list: [] }), { instanceOf: RenderError }, path)
})

for (const [what, text, line, column, message] of [
  ['a brace that is not closed', 'a\n  {{name', 2, 5, /braces/],
  ['a block that is not closed', 'a\n{{#if x}}b', 2, 11, /ends inside a block/],
  ['a block closed by another name', '{{#if x}}{{/each}}', 1, 4, /if doesn't match each/],
  ['an unknown helper', 'a\n {{shout name}}', 2, 2, /shout/],
  ['a name of the data that is a helper', 'a\n {{number}}', 2, 2, /\{\{this\.number\}\}/],
  ['a block with the name of a helper', '{{#date}}x{{/date}}', 1, 1, /\{\{#with this\.date\}\}/],
  ['an unknown partial', '{{> nope}}', 1, 1, /no partial 'nope'/],
  ['a partial by a name from the data', '{{> (lookup . "x")}}', 1, 1, /must be written in the template/],
  ['a value that is not escaped', '<p>\n{{{name}}}</p>', 2, 1, /two braces/],
  ['the same in its other form', '{{&name}}', 1, 1, /two braces/],
  ['an address without its helper', '<a href="{{link}}">', 1, 10, /\{\{url link\}\}/],
  ['an address without its helper, in other quotes', "<img SRC = '{{link}}'>", 1, 13, /\{\{url link\}\}/],
  ['an address without quotes', '<a href={{url link}}>', 1, 9, /quotes/],
] as const)
  test(`${what} is reported with its location`, t => {
    const [problem] = problemsOf(text)
    t.like(problem, { file: 'a.hbs', line, column })
    t.regex(problem?.message ?? '', message)
  })

test('reports all errors at once', t => {
  t.is(problemsOf('{{{a}}}\n{{> b}}\n<a href="{{c}}">').length, 3)
})

test('reports errors inside blocks', t => {
  t.is(problemsOf('{{#each list}}{{#if this}}<a href="{{this}}">{{/if}}{{/each}}').length, 1)
})

test('disables the built-in helpers log and lookup', t => {
  for (const text of ['{{log name}}', '{{lookup user name}}']) t.is(problemsOf(text).length, 1, text)
})

test('partials belong to one engine', t => {
  const engine = createEngine(HELPERS)
  engine.addPartials(new Map([['who', { file: 'who.hbs', text: '<b>{{name}}</b>' }]]))
  t.is(engine.compile({ file: 'a.hbs', text: '{{> who}}' }).render({ name: '<' }, 'en'), '<b>&lt;</b>')
  t.throws(() => createEngine(HELPERS).compile({ file: 'a.hbs', text: '{{> who}}' }))
})
