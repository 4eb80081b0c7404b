/** The pages of content of `raw-pages.ts` with Express 5 and Sequelize 6. */

import { createServer } from 'node:http'
import express from 'express'
import { DataTypes, QueryTypes, Sequelize } from 'sequelize'
import { newId } from '../kernel/base/index.ts'
import { renderMarkdown } from '../modules/content/domain/markdown.ts'
import { CALLER, CONNECTIONS, secretHash } from './raw-database.ts'

const [url = ''] = process.argv.slice(2)
const sequelize = new Sequelize(url, {
  logging: false,
  pool: { max: CONNECTIONS },
  define: { timestamps: false, underscored: true },
})
const id = { type: DataTypes.TEXT, primaryKey: true }

const Page = sequelize.define(
  'Page',
  {
    ...{ id, tenantId: DataTypes.TEXT, slug: DataTypes.TEXT, path: DataTypes.TEXT, locale: DataTypes.TEXT },
    ...{ version: DataTypes.INTEGER, publishedVersion: DataTypes.INTEGER, publishedAt: DataTypes.DATE },
    ...{ publishAt: DataTypes.DATE, createdAt: DataTypes.DATE, updatedAt: DataTypes.DATE },
  },
  { tableName: 'raw_pages' },
)
const Version = sequelize.define(
  'Version',
  {
    pageId: { type: DataTypes.TEXT, primaryKey: true },
    number: { type: DataTypes.INTEGER, primaryKey: true },
    ...{ tenantId: DataTypes.TEXT, title: DataTypes.TEXT, body: DataTypes.TEXT, html: DataTypes.TEXT },
    ...{ template: DataTypes.TEXT, seo: DataTypes.JSON, createdAt: DataTypes.DATE },
  },
  { tableName: 'raw_versions' },
)
const Event = sequelize.define(
  'Event',
  {
    ...{ id, tenantId: DataTypes.TEXT, type: DataTypes.TEXT, subject: DataTypes.TEXT, payload: DataTypes.JSON },
    createdAt: DataTypes.DATE,
  },
  { tableName: 'raw_events' },
)
Page.hasMany(Version, { foreignKey: 'pageId' })

/** The newest version of a page. */
const newest = (attributes: string[]) => ({
  model: Version,
  attributes,
  where: sequelize.where(sequelize.col('Versions.number'), '=', sequelize.col('Page.version')),
})
const SUMMARY = ['number', 'title', 'template', 'seo']

const app = express()
app.use(express.json())
app.use(async (request, response, next) => {
  const [who] = await sequelize.query(CALLER, { bind: [secretHash(request)], type: QueryTypes.SELECT })
  if (!who) return void response.status(401).json({})
  response.locals.tenantId = (who as { tenant_id: string }).tenant_id
  next()
})
app.get('/v1/content/pages/:id', async (request, response) => {
  const where = { id: request.params.id, tenantId: response.locals.tenantId }
  response.json(await Page.findOne({ where, include: newest([...SUMMARY, 'body', 'html']) }))
})
app.get('/v1/content/pages', async (_request, response) => {
  const where = { tenantId: response.locals.tenantId }
  const data = await Page.findAll({
    ...{ where, order: [['id', 'desc']], limit: 20 },
    include: { ...newest(SUMMARY), duplicating: false },
  })
  response.json({ data, nextCursor: null })
})
app.post('/v1/content/pages', async (request, response) => {
  const { slug, title, body } = request.body
  const [pageId, path, locale, createdAt] = [newId('pag'), `/${slug}`, 'en', new Date()]
  const common = { tenantId: response.locals.tenantId, createdAt }
  const page = { id: pageId, slug, path, locale, version: 1, updatedAt: createdAt, ...common }
  const text = { title, body, html: renderMarkdown(body), template: 'page', seo: {} }
  const payload = { pageId, slug, path, locale, version: 1 }
  await sequelize.transaction(async transaction => {
    await Page.create(page, { transaction })
    await Version.create({ pageId, number: 1, ...text, ...common }, { transaction })
    await Event.create({ id: newId('evt'), type: 'page.created', subject: pageId, payload, ...common }, { transaction })
  })
  response.status(201).json({ ...page, ...text })
})

const server = createServer(app)
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('disconnect', () => process.exit(0))
