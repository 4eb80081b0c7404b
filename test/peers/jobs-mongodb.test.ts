/** Jobs on MongoDB's protocol: the server of MONGODB_URL, or FerretDB. */
import anyTest, { type TestFn } from 'ava'
import { MongoClient } from 'mongodb'
import { freePort } from '../fixtures/free-port.ts'
import { jobsContract } from '../services/jobs/contract.ts'
import { goProgram, PROGRAMS } from './programs.ts'
import { type PeerServer, startPeer } from './server.ts'

const test = anyTest as TestFn
const program = process.env.MONGODB_URL ? '' : await goProgram(PROGRAMS.ferretdb)

let url = process.env.MONGODB_URL ?? ''
let server: PeerServer | undefined
test.before(async () => {
  if (url !== '') return
  const port = await freePort()
  url = `mongodb://127.0.0.1:${port}/larder`
  server = await startPeer({
    path: program,
    args: folder => [
      '--handler=sqlite',
      `--sqlite-url=file:${folder}/`,
      `--state-dir=${folder}`,
      '--telemetry=disable',
      `--listen-addr=127.0.0.1:${port}`,
      '--debug-addr=-',
      '--log-level=error',
    ],
    isReady: async () => (await emptySchedule(url)) !== undefined,
  })
})
test.after.always(() => server?.close())
jobsContract(test, async () => {
  await emptySchedule(url)
  return { jobsBackend: 'mongodb', mongodbUrl: url, redisUrl: undefined }
})

async function emptySchedule(url: string) {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1000 })
  try {
    return await client.db().collection('larder_agenda').deleteMany({})
  } finally {
    await client.close()
  }
}
