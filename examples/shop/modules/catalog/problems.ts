import { defineProblems } from '@larder-dev/larder/kernel'

export const problems = defineProblems({ out_of_stock: [409, 'There are not enough of {name} in stock.'] })
