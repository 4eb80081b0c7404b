// Runs AVA with the arguments given, on one PostgreSQL server that all its processes share. See docs/testing.md.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestServer } from '../dist/kernel/database/testing.js'
import { writeGroups } from './test-groups.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

writeGroups()
const server = await startTestServer()
const ava = spawn(process.execPath, [join(root, 'node_modules/ava/entrypoints/cli.mjs'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, LARDER_TEST_SERVER: server.url },
})
// AVA gets the signals of the terminal as well, and ends its processes; the server outlives it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => ava.kill(signal))
ava.once('close', async code => {
  await server.stop()
  process.exitCode = code ?? 1
})
