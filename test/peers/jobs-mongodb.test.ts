/** Jobs on MongoDB's protocol: the server of MONGODB_URL, or FerretDB. */
import anyTest, { type TestFn } from 'ava'
import { MongoClient } from 'mongodb'
import { freePort } from '../fixtures/free-port.ts'
import { jobsContract } from '../services/jobs/contract.ts'
import { goProgram, PROGRAMS, type Program } from './programs.ts'
import { type PeerServer, startPeer } from './server.ts'

const test = anyTest as TestFn
const program: Program = process.env.MONGODB_URL ? { path: '' } : await goProgram(PROGRAMS.ferretdb)

if ('path' in program) {
  let url = process.env.MONGODB_URL ?? ''
  let server: PeerServer | undefined
  test.before(async () => {
    if (url !== '') return
    const port = await freePort()
    url = `mongodb://127.0.0.1:${port}/larder`
    server = await startPeer({
      path: program.path,
      args: folder => [
        ...['--handler=sqlite', `--sqlite-url=file:${folder}/`, `--state-dir=${folder}`, '--telemetry=disable'],
        ...[`--listen-addr=127.0.0.1:${port}`, '--debug-addr=-', '--log-level=error'],
      ],
      isReady: async () => (await emptySchedule(url)) !== undefined,
    })
  })
  test.after.always(() => server?.close())
  jobsContract(test, async () => {
    await emptySchedule(url)
    return { jobsBackend: 'mongodb', mongodbUrl: url, redisUrl: undefined }
  })
} else
  test("jobs on MongoDB's protocol: not run", t => {
    t.log(program.missing)
    t.pass()
  })

async function emptySchedule(url: string) {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1000 })
  try {
    return await client.db().collection('larder_agenda').deleteMany({})
  } finally {
    await client.close()
  }
}
