import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { checkRecipe } from '../../../bin/composition.ts'
import { RecipeError } from '../../../kernel/recipe/index.ts'
import { readRecipe } from '../../../kernel/recipe/read.ts'
import { toValue } from '../../../kernel/recipe/tree.ts'
import { check, FINDER, failure, folderWith, formatProblems, HEAD, PRODUCT, problemsOf } from './fixtures.ts'

test('extends merges maps deeply and replaces lists and scalars', async t => {
  const { value } = await check(t, {
    'base.yaml': `${HEAD}modules:\n  people: { seats: 3, hosts: [a, b], registration: { open: false } }\nlocales: { available: [en, de] }\n`,
    'recipe.yaml': `extends: ./base.yaml\nproduct: { name: Other }\nmodules:\n  people: { hosts: [c], registration: { workspace: none } }\n`,
  })
  t.like(value, { product: { key: 'acme', name: 'Other' } })
  t.like(value.modules.people as object, { seats: 3, registration: { open: false, workspace: 'none' } })
  t.deepEqual((value.modules.people as { hosts: string[] }).hosts, ['c'])
})

test('extends several recipes in their order, each once, and null removes a key of a base', t => {
  const folder = folderWith(t, {
    'base.yaml': 'a: 1\nb: 1\nc: { d: 1, e: 1 }\n',
    'left.yaml': 'extends: ./base.yaml\na: 2\nb: 2\n',
    'right.yaml': 'extends: [./base.yaml]\nb: 3\n',
    'recipe.yaml': 'extends: [./left.yaml, ./right.yaml]\nc: { d: null, f: null }\n',
  })
  const { tree, problems } = readRecipe(join(folder, 'recipe.yaml'), {})
  t.deepEqual(problems, [])
  t.deepEqual(tree && toValue(tree), { a: 2, b: 3, c: { e: 1, f: null } })
})

test('extends a shipped recipe by its name, and suggests the nearest name for an unknown one', t => {
  const folder = folderWith(t, { 'recipe.yaml': 'extends: larder/full\n', 'other.yaml': 'extends: larder/ful\n' })
  t.like(toValue(readRecipe(join(folder, 'recipe.yaml'), {}).tree as never), { recipe: 1 })
  const { problems } = readRecipe(join(folder, 'other.yaml'), {})
  t.like(problems[0], { message: 'Unknown shipped recipe "ful"', hint: 'Did you mean "full"?', line: 1, column: 10 })
})

test('merges included files, by name and by wildcard', async t => {
  const { value, files } = await check(t, {
    'recipe.yaml': `${HEAD}include: [./people.yaml, ./letters/*.yaml]\nmodules: { post: { from: a } }\n`,
    'people.yaml': 'modules: { people: { seats: 4 } }\n',
    'letters/a.yaml': 'letters: { a: { title: A } }\n',
    'letters/b.yaml': 'letters: { b: { title: B } }\n',
  })
  t.deepEqual(value.letters, { a: { title: 'A', copies: 1 }, b: { title: 'B', copies: 1 } })
  t.like(value.modules, { people: { seats: 4 }, post: { from: 'a' } })
  t.is(files.length, 4)
})

test('reports both locations of a key in two included files', async t => {
  const { problems } = await failure(t, {
    'recipe.yaml': `${HEAD}include: ./part.yaml\nmodules: { people: { seats: 3 } }\n`,
    'part.yaml': 'modules:\n  people:\n    seats: 4\n',
  })
  t.is(problems.length, 1)
  t.like(problems[0], { line: 3, column: 5, path: 'modules.people.seats' })
  t.regex(problems[0]?.message ?? '', /also set in .*recipe\.yaml:4/)
})

test('reports an error in an included file at its location there', async t => {
  const problems = await problemsOf(t, {
    'recipe.yaml': `${HEAD}include: ./parts/people.yaml\n`,
    'parts/people.yaml': '\nmodules:\n  people: { saets: 4 }\n',
  })
  t.deepEqual(problems, ['people.yaml:3:13 Unknown key "saets" in "modules.people"'])
})

test('rejects an include or extends outside the folder of the recipe, also through a symbolic link', t => {
  const folder = folderWith(t, {
    'secret.yaml': 'theme: {}\n',
    'shop/recipe.yaml': `${HEAD}include: [../secret.yaml, ./link.yaml, /etc/hostname, ./away/secret.yaml]\n`,
    'shop/extends.yaml': 'extends: ../secret.yaml\n',
  })
  symlinkSync(join(folder, 'secret.yaml'), join(folder, 'shop/link.yaml'))
  symlinkSync(folder, join(folder, 'shop/away'))
  const { problems, texts } = readRecipe(join(folder, 'shop/recipe.yaml'), {})
  t.deepEqual(
    problems.map(({ message, line }) => [message, line]),
    ['../secret.yaml', './link.yaml', '/etc/hostname', './away/secret.yaml'].map(name => [
      `"${name}" is outside the folder of the recipe`,
      3,
    ]),
  )
  t.is(texts.size, 1)
  const extending = readRecipe(join(folder, 'shop/extends.yaml'), {})
  t.is(extending.problems[0]?.message, '"../secret.yaml" is outside the folder of the recipe')
})

test('reports a recipe that includes or extends itself', async t => {
  const problems = await problemsOf(t, {
    'recipe.yaml': `${HEAD}include: ./a.yaml\n`,
    'a.yaml': 'include: ./recipe.yaml\n',
  })
  t.is(problems.length, 1)
  t.regex(problems[0] as string, /^a\.yaml:1:10 .*recipe\.yaml: The file extends or includes itself$/)
  const own = await problemsOf(t, { 'recipe.yaml': `extends: ./recipe.yaml\n${HEAD}` })
  t.regex(own[0] as string, /extends or includes itself/)
  const circle = await problemsOf(t, {
    'recipe.yaml': `extends: [./a.yaml]\n${HEAD}`,
    'a.yaml': 'extends: ./recipe.yaml\n',
  })
  t.regex(circle.join(), /^a\.yaml:1:10 .*recipe\.yaml: The file extends or includes itself$/)
})

test('reports a missing included file, and not the keys that it may contain', async t => {
  const problems = await problemsOf(t, {
    'recipe.yaml': 'recipe: 1\ninclude: ./product.yaml\nmodules: { people: { saets: 1 } }\n',
  })
  t.is(problems.length, 2)
  t.regex(problems[0] as string, /^recipe\.yaml:2:10 .*product\.yaml: File not found$/)
  t.is(problems[1], 'recipe.yaml:3:22 Unknown key "saets" in "modules.people"')
})

test('rejects an include that is not a file name', async t => {
  const problems = await problemsOf(t, `recipe: 1\n${PRODUCT}\ninclude: [5, { a: 1 }, ./none/*.yaml, "./*/x.yaml"]\n`)
  t.deepEqual(problems, [
    'recipe.yaml:3:11 Expected a file name',
    'recipe.yaml:3:14 Expected a file name',
    'recipe.yaml:3:24 Folder not found: ./none/',
    'recipe.yaml:3:39 "./*/x.yaml" has a wildcard in a folder name',
  ])
})

test('rejects extends in an included file', async t => {
  const problems = await problemsOf(t, {
    'recipe.yaml': `${HEAD}include: ./part.yaml\n`,
    'part.yaml': 'extends: ./base.yaml\n',
    'base.yaml': '',
  })
  t.deepEqual(problems, ['part.yaml:1:1 An included file cannot have extends'])
})

test('rejects a named pipe without blocking', async t => {
  const folder = folderWith(t, {})
  const file = join(folder, 'recipe.yaml')
  execFileSync('mkfifo', [file])
  const error = await t.throwsAsync(checkRecipe(readRecipe(file, {}), FINDER), { instanceOf: RecipeError })
  t.deepEqual(formatProblems(error as RecipeError), ['recipe.yaml:1:1 The path is not a regular file'])
})
