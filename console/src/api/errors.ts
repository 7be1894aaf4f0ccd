export { CarillonConnectionError, CarillonError } from '../../../client/src/errors.ts';
