import anyTest, { type TestFn } from 'ava'
import { MongoClient } from 'mongodb'
import { jobsContract } from '../services/jobs/contract.ts'

const test = anyTest as TestFn
const url = process.env.MONGODB_URL

if (url)
  jobsContract(test, async () => {
    const client = new MongoClient(url)
    await client.db().collection('larder_agenda').deleteMany({})
    await client.close()
    return { jobsBackend: 'mongodb', mongodbUrl: url, redisUrl: undefined }
  })
else
  test('jobs on MongoDB', t => {
    t.log('not run: MONGODB_URL names no MongoDB')
    t.pass()
  })
