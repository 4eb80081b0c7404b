/** Compares the pages, menus and redirects of two recipes, without a database. */
import { fingerprint, type RecipeView, type Registrations } from '@larder-dev/larder/kernel'
import type { ContentOptions } from '../options.ts'
import { declareContent } from './declarations.ts'
import type { Sections } from './sections.ts'

type Comparison = Registrations['comparisons'][number]
type Change = ReturnType<Comparison['changesFrom']>[number]
type Declared = ReturnType<typeof declareContent>

export const comparisons = (_deps: unknown, options: ContentOptions, recipe: RecipeView<Sections>): Comparison[] => [
  compareContent(declareContent(options, recipe)),
]

const NOTHING: Declared = { pages: [], menus: {}, redirects: [] }

export const compareContent = (declared: Declared): Comparison => ({
  topic: 'pages',
  state: declared,
  changesFrom(former) {
    const before = (former ?? NOTHING) as Declared
    return [...pageChanges(before, declared), ...menuChanges(before, declared), ...redirectChanges(before, declared)]
  },
})

function pageChanges({ pages: before }: Declared, { pages }: Declared): Change[] {
  const nameOf = ({ slug, locale }: Declared['pages'][number]) => `page ${slug} (${locale})`
  const named = new Map(before.map(page => [nameOf(page), page]))
  const renamed = (page: Declared['pages'][number]) =>
    page.was === undefined ? undefined : named.get(nameOf({ ...page, slug: page.was }))
  const changed = pages.flatMap((page): Change[] => {
    const [subject, at] = [nameOf(page), [['pages', page.slug]]]
    const earlier = named.get(subject) ?? renamed(page)
    if (!earlier) return [{ change: 'add', subject, detail: `at ${page.path}`, at }]
    if (earlier.hash === page.hash) return []
    const details = [
      ...(earlier.slug === page.slug ? [] : [`slug ${earlier.slug} → ${page.slug}`]),
      ...(earlier.path === page.path ? [] : [`path ${earlier.path} → ${page.path}, with a redirect`]),
      ...(earlier.published === page.published ? [] : [page.published ? 'published' : 'unpublished']),
      ...(earlier.editable === page.editable ? [] : [page.editable ? 'editable' : 'no longer editable']),
      ...(fingerprint(earlier.text) === fingerprint(page.text) ? [] : ['text']),
      ...(fingerprint([earlier.sections]) === fingerprint([page.sections]) ? [] : ['sections']),
    ]
    const hides = earlier.published && !page.published
    return [
      { change: 'change', subject, detail: details.join(', '), at, ...(hides && { breaks: `${page.path} is 404` }) },
    ]
  })
  const kept = new Set(pages.flatMap(page => [page, renamed(page)].flatMap(each => (each ? [nameOf(each)] : []))))
  const gone = before.filter(page => !kept.has(nameOf(page)))
  return [
    ...changed,
    ...gone.map(
      (page): Change => ({
        change: 'remove',
        subject: nameOf(page),
        at: [['pages', page.slug]],
        ...(page.published && { breaks: `${page.path} is 404` }),
      }),
    ),
  ]
}

const menuChanges = ({ menus: before }: Declared, { menus }: Declared): Change[] =>
  [...new Set([...Object.keys(before), ...Object.keys(menus)])].flatMap((key): Change[] => {
    const [subject, at] = [`menu ${key}`, [['navigation', key]]]
    if (!before[key]) return [{ change: 'add', subject, at }]
    if (!menus[key]) return [{ change: 'remove', subject, at }]
    return fingerprint(before[key]) === fingerprint(menus[key]) ? [] : [{ change: 'change', subject, at }]
  })

function redirectChanges({ redirects: before }: Declared, { redirects }: Declared): Change[] {
  const at = [['redirects']]
  const target = ({ to, status }: Declared['redirects'][number]) => (to === null ? `${status}` : `${to} (${status})`)
  const changed = redirects.flatMap((rule): Change[] => {
    const subject = `redirect ${rule.from}`
    const earlier = before.find(({ from }) => from === rule.from)
    if (!earlier) return [{ change: 'add', subject, detail: `to ${target(rule)}`, at }]
    return fingerprint(earlier) === fingerprint(rule)
      ? []
      : [{ change: 'change', subject, detail: `${target(earlier)} → ${target(rule)}`, at }]
  })
  const gone = before.filter(({ from }) => !redirects.some(rule => rule.from === from))
  return [
    ...changed,
    ...gone.map(
      ({ from }): Change => ({ change: 'remove', subject: `redirect ${from}`, at, breaks: `${from} is 404` }),
    ),
  ]
}
