/** The API document, checked by Schemathesis: the product answers what the document promises. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel } from '../../testing/index.ts'
import { PYTHON_PROGRAMS, pythonProgram } from './programs.ts'

const run = promisify(execFile)
const program = await pythonProgram(PYTHON_PROGRAMS.schemathesis)

/** Seconds. */
const TIME_LIMIT = 120
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]
/** Names of files and folders have patterns for which Hypothesis generates no text. */
const WITHOUT_EXAMPLES = String.raw`^/v1/media(/folders|/upload-intent|/\{id\})?$`

test('answers valid and invalid requests as the API document describes', async t => {
  const kernel = await startTestKernel({ recipe: fileURLToPath(new URL('recipes/full.yaml', packageRoot)) })
  const folder = await mkdtemp(join(tmpdir(), 'larder-schemathesis-'))
  t.teardown(async () => {
    await kernel.stop()
    await rm(folder, { recursive: true })
  })
  const { apiKey } = await kernel.register('ada@example.test')
  const limits = ['--max-examples', '4', '--max-time', String(TIME_LIMIT), '--no-shrink', '--seed', '1']
  const outcome = await run(
    program,
    [
      'run',
      `${kernel.url}/v1/platform/openapi.json`,
      '--header',
      `Authorization: Bearer ${apiKey}`,
      '--phases',
      'examples,fuzzing',
      '--checks',
      CHECKS.join(','),
      '--continue-on-failure',
      ...limits,
      '--exclude-path-regex',
      WITHOUT_EXAMPLES,
      '--suppress-health-check',
      'all',
      '--warnings',
      'off',
    ],
    { cwd: folder, maxBuffer: 1e8 },
  ).catch((error: { stdout?: string; message: string }) => error)
  const output = outcome.stdout ?? ''
  t.log(output.slice(output.indexOf('= SUMMARY')))
  t.false('message' in outcome, output)
})
