/** Runs Parse Server in this process. Arguments: folder with its packages, database URL. */

import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

interface Parse {
  readonly app: RequestListener
  start(): Promise<void>
}
interface Packages {
  readonly ParseServer: new (options: Readonly<Record<string, unknown>>) => Parse
}
interface Express extends RequestListener {
  use(path: string, app: RequestListener): void
}

// Warnings about options of future versions come before the option `silent` applies.
process.stdout.write = () => true
const [folder = '', databaseURI = ''] = process.argv.slice(2)
// The server writes its log files below the working directory.
process.chdir(folder)
const require = createRequire(join(folder, 'package.json'))
const { ParseServer } = require('parse-server') as Packages
const express = require('express') as () => Express

const server = createServer()
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as { port: number }
  const parse = new ParseServer({
    databaseURI,
    appId: 'bench',
    masterKey: 'bench-master',
    maintenanceKey: 'bench-maintenance',
    serverURL: `http://127.0.0.1:${port}/parse`,
    publicServerURL: `http://127.0.0.1:${port}/parse`,
    allowClientClassCreation: false,
    // Publishes an event for each change, in this process.
    liveQuery: { classNames: ['Course'] },
    silent: true,
    verbose: false,
    logLevel: 'error',
  })
  await parse.start()
  const app = express()
  app.use('/parse', parse.app)
  server.on('request', app)
  process.send?.({ port })
})
process.on('disconnect', () => process.exit(0))
