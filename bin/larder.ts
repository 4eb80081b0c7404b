#!/usr/bin/env node
import { oldNode } from './node-version.ts'

const fault = oldNode(process.versions.node)
if (fault) {
  process.stderr.write(`larder: ${fault}\n`)
  process.exitCode = 1
} else {
  const { run } = await import('./program.ts')
  await run()
}
