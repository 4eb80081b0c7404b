import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'

const execute = promisify(execFile)
const YOUNG_GENERATION = new URL('../../bin/young-generation.js', import.meta.url).href

/** Prints how many arrays V8 allocates in the old generation after those of the same line have survived. */
const CODE = `
  import { allocateInYoungGeneration } from '${YOUNG_GENERATION}'
  allocateInYoungGeneration()
  class Socket { frames = [] }
  const open = function () { return new Socket() }
  const idle = []
  let old = 0
  for (let count = 0; count < 1e6; count++) {
    const socket = open()
    if (count < 5e5) idle.push(socket)
    else if (!%InYoungGeneration(socket.frames)) old++
  }
  console.log(old)`

test('objects of a line of code whose earlier objects survived are allocated in the young generation', async t => {
  const options = ['--allow-natives-syntax', '--input-type=module', '--eval', CODE]
  const { stdout } = await execute(process.execPath, options)
  t.is(stdout.trim(), '0')
})
