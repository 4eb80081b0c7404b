import { readFile } from 'node:fs/promises'
import test from 'ava'
import { importOptional, installCommand, isInstalled, optionalPackages } from '../../../kernel/base/optional-package.ts'
import { packagePeers, packageRoot } from '../../../kernel/base/package-root.ts'

test('every optional package is a peer with a version', t => {
  const peers = Object.keys(packagePeers).filter(name => !name.startsWith('@types/'))
  t.deepEqual([...optionalPackages].sort(), peers.sort())
  t.regex(installCommand('ioredis'), /^npm install ioredis@\^\d+\.\d+\.\d+$/)
})

test('a checkout has every optional package', t => {
  t.deepEqual(
    optionalPackages.filter(name => !isInstalled(name)),
    [],
  )
})

test('an error of an installed package is not reported as a missing package', async t => {
  const broken = () => Promise.reject(new TypeError('no native binding'))
  await t.throwsAsync(importOptional('sharp', broken), { instanceOf: TypeError, message: 'no native binding' })
})

test('docs/operations.md lists every optional package', async t => {
  const text = await readFile(new URL('docs/operations.md', packageRoot), 'utf8')
  for (const name of Object.keys(packagePeers))
    t.true(text.includes(`| \`${name}\``) || text.includes(`, \`${name}\` |`), name)
})
