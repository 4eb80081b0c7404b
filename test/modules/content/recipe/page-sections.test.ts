import test from 'ava'
import { recipeProblems, toLine } from '../../recipe-problems.ts'

const SITE = `modules: { identity: {}, content: {}, billing: {}, collections: {} }
collections: { courses: { fields: { title: { type: text }, slug: { type: slug, from: title } }, access: { read: { anyone: true } } } }
pages:
`
const lines = async (...given: Parameters<typeof recipeProblems>) => (await recipeProblems(...given)).map(toLine)

test('accepts a page with every kind of section', async t => {
  const recipe = `${SITE}  home:
    title: Home
    template: landing
    sections:
      - hero: { text: One line, actions: [{ label: Account, path: /account }] }
      - features: { title: Why, items: [{ icon: "+", title: Fast }] }
      - plans: { title: Plans }
      - collection: { title: Courses, collection: courses, sort: [title], card: { title: title }, link: /about/:slug, more: { label: All, path: /home } }
`
  t.deepEqual(await lines(t, recipe), [])
})

test('suggests the kind of a section that is misspelled', async t => {
  const recipe = `${SITE}  home: { title: Home, template: landing, sections: [{ heroe: {} }] }\n`
  t.deepEqual(await lines(t, recipe), [
    'error unknown_key recipe.yaml:6:56 Unknown key "heroe" in "pages.home.sections[0]" → Did you mean "hero"?',
  ])
})

test('suggests the collection and the fields that a section misspells', async t => {
  const section = (text: string) =>
    `${SITE}  home: { title: H, template: landing, sections: [{ collection: { title: C, ${text} } }] }\n`
  t.deepEqual(await lines(t, section('collection: course, card: { title: title }')), [
    'error rule_violated recipe.yaml:6:89 unknown collection "course" → Did you mean "courses"?',
  ])
  t.deepEqual(await lines(t, section('collection: courses, card: { title: titel }, link: "/c/:slugg"')), [
    'error rule_violated recipe.yaml:6:113 courses has no field "titel" that visitors may read → Did you mean "title"?',
    'error rule_violated recipe.yaml:6:128 courses has no field "slugg" that visitors may read → Did you mean "slug"?',
  ])
})

test('suggests the name of an icon, and lists all of them if none is near', async t => {
  const icons = (...names: string[]) =>
    `${SITE}  home: { title: H, template: landing, sections: [{ features: { title: F, items: [${names.map(name => `{ title: A, icon: ${name} }`)}] } }] }\n`
  t.deepEqual(await lines(t, icons('users', '♟', '24/7', 'user-plu')), [
    'error rule_violated recipe.yaml:6:174 unknown icon "user-plu" → Did you mean "user-plus"?',
  ])
  const [line = ''] = await lines(t, icons('hippopotamus'))
  t.regex(line, /unknown icon "hippopotamus" → Use an emoji, or one of activity, .*, zap$/)
})

test('rejects sections of a template that shows none, and a second hero', async t => {
  const recipe = `${SITE}  about: { title: About, sections: [{ features: { title: F, items: [{ title: A }] } }] }
  home: { title: Home, template: landing, sections: [{ hero: {} }, { hero: {} }] }
`
  t.deepEqual(await lines(t, recipe), [
    'error rule_violated recipe.yaml:6:26 The template page shows no sections → Set template: landing',
    'error rule_violated recipe.yaml:7:70 A hero can only be the first section, because it has the title of the page → Move it to the top, or use features',
  ])
})

test('names the modules that sections need', async t => {
  const recipe = `modules: { identity: {}, content: {} }
pages:
  home: { title: H, template: landing, sections: [{ plans: { title: P } }, { collection: { title: C, collection: c, card: { title: t } } }] }
`
  t.deepEqual(await lines(t, recipe), [
    'error rule_violated recipe.yaml:5:53 This recipe has no module billing → Add billing to modules',
    'error rule_violated recipe.yaml:5:114 This recipe has no module collections → Add collections: {} to modules',
  ])
})

test('rejects languages that the product does not have, and unsafe links of buttons', async t => {
  const recipe = `${SITE}  home:
    title: Home
    template: landing
    sections: [{ hero: { text: { en: Hello, fr: Bonjour }, actions: [{ label: Go, path: "javascript:alert(1)" }] } }]
`
  t.deepEqual(await lines(t, recipe), [
    "error rule_violated recipe.yaml:9:49 'fr' is not a language of this product → languages are en",
    'error rule_violated recipe.yaml:9:89 is not a valid URL → Use a path such as /about, or https://…',
  ])
})

test('warns of a button that leads nowhere', async t => {
  const recipe = `${SITE}  home: { title: H, template: landing, sections: [{ hero: { actions: [{ label: Plan, path: /biling }] } }] }\n`
  t.deepEqual(await lines(t, recipe), [
    'warning unknown_path recipe.yaml:6:92 Nothing is served at /biling → Did you mean "/billing"?',
  ])
})

test('names what a section can not be filtered by, and a second section with filters', async t => {
  const recipe = `modules: { identity: {}, content: {}, collections: {} }
collections: { courses: { fields: { title: { type: text }, level: { type: enum, values: [a] }, secret: { type: enum, values: [a], private: true } }, access: { read: { anyone: true } } } }
pages:
  home:
    title: Home
    template: landing
    sections:
      - collection: { title: A, collection: courses, filters: [titel, title, secret], card: { title: title, facts: [levl] } }
      - collection: { title: B, collection: courses, filters: [level], filter: { level: a }, card: { title: title } }
`
  t.deepEqual(await lines(t, recipe), [
    'error rule_violated recipe.yaml:10:21 filters: unknown field "titel" in courses. Did you mean "title"?',
    'error rule_violated recipe.yaml:10:21 filters: the field "title" is a text. Fields to filter by are an enum, a boolean or a reference',
    'error rule_violated recipe.yaml:10:21 filters: visitors may not read the field "secret"',
    'error rule_violated recipe.yaml:10:21 facts: unknown field "levl" in courses. Did you mean "level"?',
    'error rule_violated recipe.yaml:11:9 Only one section of a page can have search or filters, which are in the query of its address → Remove search and filters, or move the section to another page',
    'error rule_violated recipe.yaml:11:21 filter has the field "level", too',
  ])
})
