import { defineCollection, type RowOf } from '@larder-dev/larder/collections'

export const products = defineCollection({
  name: 'products',
  label: { en: 'Product', de: 'Produkt' },
  fields: {
    name: { type: 'text', required: true, maxLength: 200 },
    slug: { type: 'slug', from: 'name', unique: true },
    price: { type: 'money', currency: 'EUR', required: true, min: 0 },
    stock: { type: 'integer', required: true, min: 0 },
    published: { type: 'boolean', default: false },
  },
  search: ['name'],
  access: {
    read: { anyone: { published: true }, 'tenant.member': true },
  },
  history: 20,
})
export type Product = RowOf<typeof products>

export const orders = defineCollection({
  name: 'orders',
  label: { en: 'Order', de: 'Bestellung' },
  fields: {
    product: { type: 'reference', to: 'products', required: true, writeOnce: true },
    quantity: { type: 'integer', required: true, writeOnce: true, min: 1, max: 100 },
    total: { type: 'money', currency: 'EUR', required: true, readOnly: true },
  },
  access: {
    read: { 'tenant.member': { createdBy: '$user' } },
    create: { 'tenant.member': true },
  },
})
export type Order = RowOf<typeof orders>
