/**
 * The comparison for requests: `node:http` and `pg`. Each request is one statement that joins login and user, as any
 * product must, with the row, without validation, authorization and log. POST stores an event with the row. With `express` as the second argument, the
 * same requests use Express 5 and Sequelize 6.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import express from 'express'
import pg from 'pg'
import { DataTypes, QueryTypes, Sequelize } from 'sequelize'
import { newId } from '../kernel/base/index.ts'
import { CALLER, secretHash } from './raw-caller.ts'

const [url = '', kind = 'raw'] = process.argv.slice(2)

async function rawServer() {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  const answer = (response: ServerResponse, status: number, body: unknown) => {
    const text = JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST') {
      let sent = ''
      for await (const chunk of request) sent += chunk
      const { title, body } = JSON.parse(sent)
      const text = `with n as (
          insert into raw_notes (id, tenant_id, title, body) select $2, c.tenant_id, $3, $4 from (${CALLER}) c returning *),
        e as (insert into raw_events (id, tenant_id, type, subject, payload)
          select $5, n.tenant_id, 'note.created', n.id, json_build_object('noteId', n.id, 'title', n.title) from n)
        select id from n`
      const values = [secretHash(request), newId('note'), title, body, newId('evt')]
      const { rows } = await pool.query({ name: 'add', text, values })
      return rows[0] ? answer(response, 201, rows[0]) : answer(response, 401, {})
    }
    const id = request.url?.split('/')[3]
    if (id) {
      const text = `select n.id, n.title, n.body, n.created_at as "createdAt" from (${CALLER}) c
        left join raw_notes n on n.tenant_id = c.tenant_id and n.id = $2`
      const { rows } = await pool.query({ name: 'one', text, values: [secretHash(request), id] })
      return rows[0] ? answer(response, rows[0].id === null ? 404 : 200, rows[0]) : answer(response, 401, {})
    }
    const text = `select n.id, n.title, n.body, n.created_at as "createdAt" from (${CALLER}) c
      left join lateral (select * from raw_notes where tenant_id = c.tenant_id order by id limit 20) n on true`
    const { rows } = await pool.query({ name: 'list', text, values: [secretHash(request)] })
    if (!rows[0]) return answer(response, 401, {})
    answer(response, 200, { data: rows.filter(row => row.id !== null), nextCursor: null })
  }
  // The load generator disconnects at its end, in the middle of requests.
  return createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
}

async function expressServer() {
  const sequelize = new Sequelize(url, { logging: false, pool: { max: 10 } })
  const Note = sequelize.define(
    'Note',
    {
      id: { type: DataTypes.TEXT, primaryKey: true },
      tenantId: { type: DataTypes.TEXT, field: 'tenant_id' },
      title: DataTypes.TEXT,
      body: DataTypes.TEXT,
      createdAt: { type: DataTypes.DATE, field: 'created_at' },
    },
    { tableName: 'raw_notes', timestamps: false },
  )
  const Event = sequelize.define(
    'Event',
    {
      id: { type: DataTypes.TEXT, primaryKey: true },
      tenantId: { type: DataTypes.TEXT, field: 'tenant_id' },
      type: DataTypes.TEXT,
      subject: DataTypes.TEXT,
      payload: DataTypes.JSON,
      createdAt: { type: DataTypes.DATE, field: 'created_at' },
    },
    { tableName: 'raw_events', timestamps: false },
  )
  const app = express()
  app.use(express.json())
  app.use(async (request, response, next) => {
    const [who] = await sequelize.query(CALLER, { bind: [secretHash(request)], type: QueryTypes.SELECT })
    if (!who) return void response.status(401).json({})
    response.locals.tenantId = (who as { tenant_id: string }).tenant_id
    next()
  })
  app.get('/v1/notes/:id', async (request, response) => {
    response.json(await Note.findOne({ where: { id: request.params.id, tenantId: response.locals.tenantId } }))
  })
  app.get('/v1/notes', async (_request, response) => {
    const data = await Note.findAll({ where: { tenantId: response.locals.tenantId }, order: ['id'], limit: 20 })
    response.json({ data, nextCursor: null })
  })
  app.post('/v1/notes', async (request, response) => {
    const id = newId('note')
    const { title } = request.body
    const common = { tenantId: response.locals.tenantId, createdAt: new Date() }
    const event = { id: newId('evt'), type: 'note.created', subject: id, payload: { noteId: id, title }, ...common }
    await sequelize.transaction(async transaction => {
      await Note.create({ id, ...request.body, ...common }, { transaction })
      await Event.create(event, { transaction })
    })
    response.status(201).json({ id })
  })
  return createServer(app)
}

const server = await (kind === 'express' ? expressServer() : rawServer())
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('disconnect', () => process.exit(0))
