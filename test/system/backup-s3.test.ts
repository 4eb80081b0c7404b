/** Backups of files in S3, from the embedded server into an older one of Debian. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import test from 'ava'
import { stringify } from 'yaml'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { startTestKernel } from '../../testing/index.ts'
import { run, temporaryFolder } from '../bin/command.ts'
import { pngFile } from '../modules/media/files.ts'
import { startDebianPostgres } from './debian-postgres.ts'
import { type Swift, startSwift } from './media-swift.ts'

const SECRET = 'the secret of an installation with a bucket'
let swift: Swift

test.before(async () => {
  swift = await startSwift()
})
test.after.always(() => swift?.close())

const recipeWith = (bucket: string) => {
  const { endpoint, region, accessKeyId, secretAccessKey } = swift
  const s3 = { bucket, endpoint, region, accessKeyId, secretAccessKey }
  return {
    recipe: 1,
    product: { key: 'bucket', name: 'Bucket', publicUrl: 'http://localhost' },
    modules: { identity: {}, comms: {}, media: { wait: '1m', s3 } },
  }
}

async function objectsIn(bucket: string): Promise<Record<string, unknown>> {
  const { Contents = [] } = await swift.client.send(new ListObjectsV2Command({ Bucket: bucket }))
  return Object.fromEntries(Contents.map(({ Key = '', Size, ETag }) => [Key, `${Size} ${ETag}`]))
}

test('an archive has the objects of the bucket, and a copy in the same bucket is refused', async t => {
  const folder = await temporaryFolder(t)
  for (const bucket of ['original', 'restored']) {
    await swift.bucket(bucket)
    await mkdir(join(folder, bucket))
    await writeFile(join(folder, `${bucket}.yaml`), stringify(recipeWith(bucket)))
  }
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const recipe = join(folder, 'original.yaml')
  const env = { LARDER_SECRET: SECRET, LARDER_DATA: join(folder, 'original') }
  const kernel = await startTestKernel({ recipe, database: database.ownerUrl, env })
  const ada = await kernel.register('ada@example.test')
  for (const name of ['first.png', 'second.png']) {
    const { type, bytes } = await pngFile(name)
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
    const headers = { authorization: `Bearer ${ada.token}`, 'x-tenant-id': ada.tenantId }
    const response = await fetch(`${kernel.url}/v1/media`, { method: 'POST', headers, body: form })
    t.is(response.status, 201)
  }
  await kernel.settled()
  await kernel.stop()
  const original = await objectsIn('original')
  t.true(Object.keys(original).length >= 2)

  const larder = (url: string, bucket: string, ...args: string[]) =>
    run(t, [...args, '--recipe', join(folder, `${bucket}.yaml`)], folder, {
      DATABASE_URL: url,
      LARDER_SECRET: SECRET,
      LARDER_DATA: join(folder, bucket),
    })
  const archive = join(folder, 'backup.tar.gz')
  const made = await larder(database.ownerUrl, 'original', 'backup', archive)
  t.is(made.code, 0, made.err)

  const server = await startDebianPostgres(t)
  await server.query(`create role bob login createrole password 'pw'`)
  await server.query('create database copy owner bob')
  const refused = await larder(server.url('copy', 'bob'), 'original', 'restore', archive)
  t.is(refused.code, 1)
  t.regex(refused.err, /the bucket original already has files/)
  const { code, err } = await larder(server.url('copy', 'bob'), 'restored', 'restore', archive)
  t.is(code, 0, err)
  t.deepEqual(await objectsIn('restored'), original)
  t.deepEqual(await server.query('select file_name from media_items order by 1', 'copy'), [
    { file_name: 'first.png' },
    { file_name: 'second.png' },
  ])
})
