import { defineCollection, rowHooks } from '@larder-dev/larder/collections'
import { defineModule, defineProblems, job } from '../../../../kernel/index.ts'

/** The operator owns these rows, and every workspace reads them. */
export const offers = defineCollection({
  name: 'offers',
  scope: 'shared',
  fields: { title: { type: 'text', required: true }, seats: { type: 'integer', required: true } },
  access: { read: { anyone: true } },
})
/** One for each seat that is taken. Its ID tells whether a seat has been given back. */
export const seats = defineCollection({
  name: 'seats',
  scope: 'shared',
  fields: { offer: { type: 'reference', to: 'offers', required: true, onDelete: 'cascade' } },
})
/** Each workspace has rows of its own. */
export const bookings = defineCollection({
  name: 'bookings',
  fields: {
    offer: { type: 'reference', to: 'offers', required: true },
    student: { type: 'text', required: true },
    seat: { type: 'text', readOnly: true },
  },
  access: { read: { 'tenant.member': true }, create: { 'tenant.member': true } },
})

declare module '../../../../kernel/index.ts' {
  interface Jobs {
    'school.give_back': { seatId: string }
  }
}

export const problems = defineProblems({ sold_out: [409, '{title} is sold out.'] })

export default defineModule({
  name: 'school',
  needs: ['collections', 'operatorRows'],
  problems,
  collections: [offers, seats, bookings],
  rowHooks: ({ operatorRows }) => [
    rowHooks(bookings, {
      problems: [problems.sold_out],
      async beforeCreate({ values: { offer: id } }) {
        if (id === null) return undefined
        const seat = await operatorRows.transaction(
          async rows => {
            const offer = await rows(offers).getForUpdate(id)
            const taken = await rows(seats).list({ filter: { offer: id }, limit: 200 })
            if (taken.data.length >= offer.seats) throw problems.sold_out({ title: offer.title })
            return rows(seats).create({ offer: id })
          },
          { undo: ({ id: seatId }) => ({ job: 'school.give_back', data: { seatId } }) },
        )
        return { seat: seat.id }
      },
      async afterCreate({ row }) {
        if (row.student === 'Fails') throw new Error('the booking fails after the seat was taken')
      },
    }),
  ],
  jobs: ({ operatorRows }) => [
    job('school.give_back', {
      run: ({ seatId }) =>
        operatorRows.transaction(async rows => {
          const { data } = await rows(seats).list({ filter: { id: seatId } })
          for (const { id } of data) await rows(seats).delete(id)
        }),
    }),
  ],
})
