/** Mistakes in the screens that modules declare. */
import test from 'ava'
import type { ConsoleScreen } from '../../../../modules/console/ports.ts'
import { nameOf, problemsOf } from '../../../../modules/console/services/screen-problems.ts'

const file = new URL('stock.tsx', import.meta.url)

const MISTAKES: readonly (readonly [mistake: string, screens: readonly object[], message: RegExp])[] = [
  ['an unknown resource', [{ resource: 'shop.none', view: 'list', file }], /no module of the product has the resource/],
  ['an unknown view', [{ resource: 'identity.people', view: 'tree', file }], /its view must be one of/],
  [
    'two replacements of one screen',
    [
      { resource: 'identity.people', view: 'list', file },
      { resource: 'identity.people', view: 'list', file },
    ],
    /another screen already replaces this one/,
  ],
  [
    'two tabs of one name',
    [
      { resource: 'identity.people', tab: 'a', title: 'A', file },
      { resource: 'identity.people', tab: 'a', title: 'A', file },
    ],
    /another tab of the module already has this name/,
  ],
  ['a tab with an impossible name', [{ resource: 'identity.people', tab: 'A b', title: 'A', file }], /its tab must be/],
  ['a path that begins with a parameter', [{ name: 'a', title: 'A', path: '$id', file }], /its path must begin/],
  ['a path with an empty segment', [{ name: 'a', title: 'A', path: 'a//b', file }], /its path must consist of/],
  ['a path with one parameter twice', [{ name: 'a', title: 'A', path: 'a/$id/$id', file }], /two parameters/],
  [
    'two paths of one shape',
    [
      { name: 'a', title: 'A', path: 'a/$id', file },
      { name: 'b', title: 'B', path: 'a/$key', file },
    ],
    /already has this name or path/,
  ],
  ['a link to another site', [{ page: '//example.test', title: 'A' }], /its page must be a path of the product/],
]
for (const [mistake, screens, message] of MISTAKES)
  test(`refuses ${mistake}`, t => {
    const declared = screens.map(screen => ({ permission: 'shop.stock.read', ...screen }) as ConsoleScreen)
    const problems = problemsOf(
      declared.map(screen => ({ module: 'shop', name: nameOf(screen), screen })),
      new Set(['identity.people']),
    )
    t.is(problems.length, 1)
    t.regex(problems[0] ?? '', message)
  })
