/** plugins: the one place where the floors below the plugins get to know them. */
export { areas } from '../../plugins';
