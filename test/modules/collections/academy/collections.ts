import { defineCollection, type EventsOf, type RowOf } from '@larder-dev/larder/collections'

export const courses = defineCollection({
  name: 'courses',
  label: { en: 'Course', de: 'Kurs' },
  fields: {
    title: { type: 'text', required: true, maxLength: 200 },
    slug: { type: 'slug', from: 'title', unique: true },
    level: { type: 'enum', values: ['beginner', 'advanced'], default: 'beginner' },
    seats: { type: 'integer', min: 0 },
    booked: { type: 'integer', readOnly: true, default: 0 },
    code: { type: 'text', required: true, readOnly: true },
    note: { type: 'text', private: true },
    topics: { type: 'reference', to: 'topics', many: true },
    left: { type: 'computed', of: 'integer', expression: 'seats - booked' },
  },
  search: ['title'],
  access: {
    read: { anyone: { level: 'beginner' }, 'tenant.member': true },
    create: { 'tenant.member': true },
    update: { 'tenant.member': { createdBy: '$user' } },
  },
  trash: '30d',
  history: 5,
  rows: [{ title: 'First steps', code: 'SEED', seats: 3 }],
})
export type Course = RowOf<typeof courses>

export const enrolments = defineCollection({
  name: 'enrolments',
  fields: {
    course: { type: 'reference', to: 'courses', required: true, writeOnce: true, onDelete: 'cascade' },
    student: { type: 'email', required: true },
  },
  unique: [['course', 'student']],
  access: { read: { 'tenant.member': true }, create: { 'tenant.member': true } },
})

/** Visits of one room don't overlap. */
export const visits = defineCollection({
  name: 'visits',
  fields: {
    code: { type: 'text', unique: true },
    room: { type: 'text', required: true },
    starts: { type: 'integer', required: true },
    ends: { type: 'integer', required: true },
  },
  access: { read: { 'tenant.member': true }, create: { 'tenant.member': true }, update: { 'tenant.member': true } },
  trash: '30d',
})
export type Visit = RowOf<typeof visits>

declare module '@larder-dev/larder/kernel' {
  interface Events extends EventsOf<typeof courses> {}
}
