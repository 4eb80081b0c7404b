import { defineModule, listener, route, Type } from '../../../../kernel/index.ts'
import { courses, enrolments, visits } from './collections.ts'
import { academyHooks, problems } from './hooks.ts'

/** A module of a team with collections, hooks, a route, a listener and a migration. */
export default defineModule({
  name: 'academy',
  needs: ['collections', 'database'],
  permissions: { 'academy.course.publish': 'Publish courses' },
  problems,
  collections: [courses, enrolments, visits],
  rowHooks: academyHooks,
  routes: ({ collections }) => [
    route({
      method: 'get',
      path: '/academy/may-create',
      operationId: 'mayCreateCourses',
      summary: 'Answers people who may create courses.',
      allow: 'collections.courses.create',
      replies: { 200: Type.Object({ may: Type.Boolean() }) },
      handle: async () => ({ may: true }),
    }),
    route({
      method: 'post',
      path: '/academy/courses/:id/promote',
      operationId: 'promoteCourse',
      summary: 'Makes a course advanced.',
      allow: 'academy.course.publish',
      body: Type.Object({ asCaller: Type.Boolean() }),
      replies: { 200: Type.Object({ level: Type.String(), booked: Type.Integer() }) },
      problems: ['field_forbidden'],
      async handle({ params, body, tenantId, caller }) {
        const scope = body.asCaller ? { tenantId, caller } : { tenantId }
        const { level, booked } = await collections
          .rows(courses, scope)
          .update(params.id, { level: 'advanced', booked: 1 })
        return { level: level ?? '', booked: booked ?? 0 }
      },
    }),
  ],
  listeners: ({ database }) => [
    listener('collections.courses.updated', async ({ tenantId, payload: { row, changed } }) => {
      if (changed.includes('level'))
        await database
          .tenant(tenantId)
          .query('insert into academy_log (tenant_id, line) values ($1, $2)', [tenantId, `level of ${row.title}`])
    }),
  ],
  migrations: new URL('./migrations/', import.meta.url),
})
