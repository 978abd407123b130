/** other-person: which person a document names, if it is not the person of the record. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { otherPerson } from '../../../core/records/other-person';

export const lab = Lab.script();
const { describe, it } = lab;

const tor = { name_given: 'Tor', name_middle: null, name_family: 'Openshaw', bday: '1941-08-08' };

describe('whether a document tells of somebody else', () => {
  it('takes the same day of birth with one name in common for the same person', () => {
    for (const subject of ['Tor Openshaw', 'TOR M. OPENSHAW', 'Mr. Tor Smith', 'Tór', undefined]) {
      expect(otherPerson({ ...(subject === undefined ? {} : { subject }), born: '1941-08-08' }, tor)).to.be.undefined();
    }
    expect(otherPerson({ subject: 'Tor Openshaw' }, tor)).to.be.undefined();
    expect(otherPerson({ born: '1941' }, tor)).to.be.undefined();
    expect(otherPerson({ born: '1941-08' }, tor)).to.be.undefined();
    expect(otherPerson({ born: '1941-09' }, tor)).to.include({ born: '1941-09' });
    expect(otherPerson({ subject: 'Tor Openshaw', born: '1941-08-08T04:00:00Z' }, tor)).to.be.undefined();
  });

  it('notices another day of birth, whatever the name, and a name without anything in common', () => {
    expect(otherPerson({ subject: 'Tor Openshaw', born: '1970-01-01' }, tor)).to.equal({
      subject: 'Tor Openshaw',
      born: '1970-01-01',
      recordBorn: '1941-08-08',
    });
    expect(otherPerson({ born: '1970-01-01' }, tor)).to.include({ subject: null, born: '1970-01-01' });
    expect(otherPerson({ subject: 'Myra Jones' }, tor)).to.include({ subject: 'Myra Jones', born: null });
    expect(otherPerson({ subject: 'Torben Openshawe', born: '1941-08-08' }, tor)).to.not.be.undefined();
  });

  it('asks about a newborn child with the name of its mother', () => {
    expect(otherPerson({ subject: 'Baby Boy Openshaw' }, tor)).to.include({ subject: 'Baby Boy Openshaw' });
    expect(otherPerson({ subject: 'Baby Boy Openshaw', born: '1941-08-08' }, tor)).to.be.undefined();
    expect(otherPerson({ subject: 'Baby Openshaw' }, { ...tor, name_given: 'Baby' })).to.be.undefined();
  });

  it('says nothing where nothing can be compared', () => {
    expect(otherPerson(undefined, tor)).to.be.undefined();
    expect(otherPerson({}, tor)).to.be.undefined();
    expect(otherPerson({ subject: 'Myra Jones', born: '1970-01-01' }, {})).to.be.undefined();
    expect(otherPerson({ subject: 'تور أوبنشو', born: '1941-08-08' }, tor)).to.be.undefined();
    expect(otherPerson({ subject: '---' }, tor)).to.be.undefined();
  });
});
