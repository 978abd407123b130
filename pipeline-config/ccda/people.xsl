<?xml version="1.0" encoding="UTF-8"?>
<!-- What a C-CDA says of the person beside what is wrong with them, and who cares for them, as a Bundle of FHIR: no model
     holds it. Keys (fullUrl) follow from the ids and the places of the document, so that they stay the same. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns="http://hl7.org/fhir"
                xmlns:h="urn:hl7-org:v3" xmlns:exsl="http://exslt.org/common" exclude-result-prefixes="h exsl">
  <xsl:variable name="us-core" select="'http://hl7.org/fhir/us/core/StructureDefinition/'"/>
  <xsl:variable name="npi" select="'2.16.840.1.113883.4.6'"/>
  <!-- The fields of those who care for people. -->
  <xsl:variable name="fields" select="'2.16.840.1.113883.6.101'"/>
  <!-- Races and ethnicities that the Office of Management and Budget counts; all others are details. -->
  <xsl:variable name="counted" select="'|1002-5|2028-9|2054-5|2076-8|2106-3|2131-1|2135-2|2186-5|'"/>
  <!-- How FHIR calls the code systems that occur here, by their OIDs. -->
  <xsl:variable name="fhir-systems">|2.16.840.1.113883.6.96=http://snomed.info/sct|2.16.840.1.113883.6.1=http://loinc.org|2.16.840.1.113883.6.101=http://nucc.org/provider-taxonomy|2.16.840.1.113883.5.88=http://terminology.hl7.org/CodeSystem/v3-ParticipationFunction|2.16.840.1.113883.5.111=http://terminology.hl7.org/CodeSystem/v3-RoleCode|2.16.840.1.113883.5.110=http://terminology.hl7.org/CodeSystem/v3-RoleClass|2.16.840.1.113883.5.2=http://terminology.hl7.org/CodeSystem/v3-MaritalStatus|2.16.840.1.113883.5.140=http://terminology.hl7.org/CodeSystem/v3-TribalEntityUS|2.16.840.1.113883.5.1008=http://terminology.hl7.org/CodeSystem/v3-NullFlavor|</xsl:variable>

  <!-- Care for some time. -->
  <xsl:variable name="care" select="/h:ClinicalDocument/h:documentationOf/h:serviceEvent[@classCode = 'PCPR'][h:performer/h:assignedEntity[h:assignedPerson/h:name[normalize-space()] or h:representedOrganization/h:name[normalize-space()]]]"/>

  <xsl:template match="h:ClinicalDocument" mode="people">
    <Bundle>
      <!-- Who of several is meant is not known. -->
      <xsl:apply-templates select="h:recordTarget[not(../h:recordTarget[2])]/h:patientRole[h:patient]" mode="people"/>
      <xsl:for-each select="h:component/h:structuredBody//h:section[not(@nullFlavor)]/h:entry/h:organizer[h:code/@code = '86744-0' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.500'][not(@nullFlavor)][h:component/h:act[h:performer or h:participant]][not(h:statusCode/@code = 'nullified')]">
        <xsl:call-template name="team">
          <xsl:with-param name="key" select="concat('team/', position(), '/', h:id[1]/@root, '/', h:id[1]/@extension)"/>
          <xsl:with-param name="members" select="h:component/h:act[not(@nullFlavor)][not(h:statusCode/@code = 'nullified')]"/>
        </xsl:call-template>
      </xsl:for-each>
      <xsl:call-template name="relatives"/>
      <!-- Who gives care for some time. Those of one act, such as an operation, are no team. -->
      <xsl:for-each select="$care">
        <xsl:call-template name="team">
          <xsl:with-param name="key" select="concat('care/', position())"/>
          <xsl:with-param name="members" select="h:performer"/>
        </xsl:call-template>
      </xsl:for-each>
    </Bundle>
  </xsl:template>

  <!-- ============================================================ the person -->

  <xsl:template match="h:patientRole" mode="people">
    <!-- What is observed of the person, and not of somebody else. -->
    <xsl:variable name="observed" select="/h:ClinicalDocument/h:component/h:structuredBody//h:observation[contains('|95370-3|76689-9|46098-0|76691-5|', concat('|', h:code/@code, '|'))][ancestor::h:entry][h:value][not(@negationInd = 'true' or @negationInd = '1')][not(@nullFlavor)][not(h:statusCode/@code = 'nullified' or h:statusCode/@code = 'aborted' or h:statusCode/@code = 'cancelled')][not(ancestor-or-self::*/h:subject)]"/>
    <entry>
      <fullUrl value="person"/>
      <resource>
        <Patient>
          <xsl:call-template name="group-of-people">
            <xsl:with-param name="name" select="'us-core-race'"/>
            <xsl:with-param name="codes" select="h:patient/*[local-name() = 'raceCode'][@code != ''][@codeSystem = '2.16.840.1.113883.6.238']"/>
          </xsl:call-template>
          <xsl:call-template name="group-of-people">
            <xsl:with-param name="name" select="'us-core-ethnicity'"/>
            <xsl:with-param name="codes" select="h:patient/*[local-name() = 'ethnicGroupCode'][@code != ''][@codeSystem = '2.16.840.1.113883.6.238']"/>
          </xsl:call-template>
          <xsl:for-each select="$observed[h:code/@code = '95370-3']/h:value[@code != '' or @displayName != '']">
            <extension url="{$us-core}us-core-tribal-affiliation"><extension url="tribalAffiliation"><valueCodeableConcept><xsl:call-template name="concept-in"/></valueCodeableConcept></extension></extension>
          </xsl:for-each>
          <xsl:for-each select="$observed[h:code/@code = '76689-9'][1]/h:value">
            <xsl:variable name="sex" select="concat(substring('F', 1, @code = 'F' or @code = '248152002'), substring('M', 1, @code = 'M' or @code = '248153007'), substring('UNK', 1, 3 * (@code = 'UNK' or @nullFlavor = 'UNK')), substring('ASKU', 1, 4 * (@code = 'ASKU' or @nullFlavor = 'ASKU')), substring('OTH', 1, 3 * (@code = 'OTH' or @nullFlavor = 'OTH')))"/>
            <xsl:if test="$sex != ''"><extension url="{$us-core}us-core-birthsex"><valueCode value="{$sex}"/></extension></xsl:if>
          </xsl:for-each>
          <xsl:for-each select="$observed[h:code/@code = '46098-0'][1]/h:value[@code = '248152002' or @code = '248153007']">
            <extension url="{$us-core}us-core-sex"><valueCode value="{@code}"/></extension>
          </xsl:for-each>
          <xsl:for-each select="$observed[h:code/@code = '76691-5'][1]/h:value[@code != '' or @displayName != '']">
            <extension url="{$us-core}us-core-genderIdentity"><valueCodeableConcept><xsl:call-template name="concept-in"/></valueCodeableConcept></extension>
          </xsl:for-each>
          <xsl:for-each select="h:patient/h:name[normalize-space()][not(@nullFlavor)]"><name><xsl:call-template name="name-in"/></name></xsl:for-each>
          <xsl:call-template name="contacts-in"/>
          <xsl:variable name="born"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:patient/h:birthTime/@value"/></xsl:call-template></xsl:variable>
          <xsl:if test="$born != ''"><birthDate value="{substring($born, 1, 10)}"/></xsl:if>
          <xsl:variable name="died"><xsl:call-template name="moment"><xsl:with-param name="ts" select="h:patient/*[local-name() = 'deceasedTime']/@value"/></xsl:call-template></xsl:variable>
          <xsl:variable name="dead" select="concat('|', h:patient/*[local-name() = 'deceasedInd']/@value, '|')"/>
          <xsl:choose>
            <xsl:when test="$died != '' and not(contains($no, $dead))"><deceasedDateTime value="{$died}"/></xsl:when>
            <xsl:when test="$dead != '||' and contains($yes, $dead)"><deceasedBoolean value="true"/></xsl:when>
            <xsl:when test="$dead != '||' and contains($no, $dead)"><deceasedBoolean value="false"/></xsl:when>
          </xsl:choose>
          <xsl:for-each select="h:patient/h:maritalStatusCode[@code != ''][1]"><maritalStatus><xsl:call-template name="concept-in"/></maritalStatus></xsl:for-each>
          <xsl:for-each select="h:patient/h:languageCommunication[h:languageCode/@code != '']">
            <communication>
              <language><coding><system value="urn:ietf:bcp:47"/><code value="{h:languageCode/@code}"/></coding></language>
              <xsl:if test="h:preferenceInd/@value = 'true' or h:preferenceInd/@value = '1'"><preferred value="true"/></xsl:if>
            </communication>
          </xsl:for-each>
          <!-- Who is said to be the primary care physician, and has not ended to be. -->
          <xsl:for-each select="$care">
            <xsl:variable name="key" select="concat('care/', position())"/>
            <xsl:for-each select="h:performer">
              <xsl:variable name="name" select="h:assignedEntity/h:assignedPerson/h:name[normalize-space()]"/>
              <xsl:if test="$name and *[local-name() = 'functionCode'][@code = 'PCP' or @code = 'PP'] and not(h:time/h:high[@value != '' or @nullFlavor = 'UNK'])">
                <generalPractitioner>
                  <reference value="{$key}/{position()}/person"/>
                  <display><xsl:attribute name="value"><xsl:apply-templates select="$name[1]" mode="words"/></xsl:attribute></display>
                </generalPractitioner>
              </xsl:if>
            </xsl:for-each>
          </xsl:for-each>
        </Patient>
      </resource>
    </entry>
  </xsl:template>

  <!-- Races or ethnicities, each as a count or a detail, and all of them in words. -->
  <xsl:template name="group-of-people">
    <xsl:param name="name"/>
    <xsl:param name="codes"/>
    <xsl:if test="$codes">
      <extension url="{$us-core}{$name}">
        <xsl:for-each select="$codes">
          <xsl:variable name="part" select="concat(substring('ombCategory', 1, 11 * contains($counted, concat('|', @code, '|'))), substring('detailed', 1, 8 * not(contains($counted, concat('|', @code, '|')))))"/>
          <extension url="{$part}"><valueCoding><system value="urn:oid:2.16.840.1.113883.6.238"/><code value="{@code}"/><xsl:if test="@displayName != ''"><display value="{@displayName}"/></xsl:if></valueCoding></extension>
        </xsl:for-each>
        <extension url="text"><valueString><xsl:attribute name="value"><xsl:for-each select="$codes"><xsl:if test="position() > 1">, </xsl:if><xsl:value-of select="@displayName"/><xsl:if test="not(@displayName != '')"><xsl:value-of select="@code"/></xsl:if></xsl:for-each></xsl:attribute></valueString></extension>
      </extension>
    </xsl:if>
  </xsl:template>

  <!-- ============================================================ who is close to the person -->

  <!-- Guardians, next of kin and others of the header: one for each name with one telephone and address, and all that it is. -->
  <xsl:template name="relatives">
    <xsl:variable name="kin" select="h:recordTarget[not(../h:recordTarget[2])]/h:patientRole/h:patient/h:guardian[normalize-space(h:guardianPerson/h:name)]
                                     | h:participant[@typeCode = 'IND']/h:associatedEntity[contains('|NOK|ECON|CAREGIVER|PRS|AGNT|GUARD|', concat('|', @classCode, '|'))][normalize-space(h:associatedPerson/h:name)]"/>
    <xsl:for-each select="$kin">
      <xsl:variable name="who" select="normalize-space(concat(*/h:name, '|', h:telecom/@value, '|', h:addr))"/>
      <xsl:variable name="same" select="$kin[normalize-space(concat(*/h:name, '|', h:telecom/@value, '|', h:addr)) = $who]"/>
      <xsl:if test="generate-id() = generate-id($same[1])">
        <entry>
          <fullUrl value="relative/{$who}"/>
          <resource>
            <RelatedPerson>
              <xsl:for-each select="h:id[@root != ''][not(@nullFlavor)]"><identifier><xsl:call-template name="identifier-in"/></identifier></xsl:for-each>
              <patient><reference value="Patient/person"/></patient>
              <xsl:for-each select="$same">
                <xsl:if test="self::h:guardian or @classCode != 'PRS'">
                  <relationship><coding><system value="http://terminology.hl7.org/CodeSystem/v3-RoleClass"/><code><xsl:attribute name="value"><xsl:value-of select="@classCode"/><xsl:if test="not(@classCode)">GUARD</xsl:if></xsl:attribute></code></coding></relationship>
                </xsl:if>
                <xsl:for-each select="h:code[@code != '' or @displayName != '']"><relationship><xsl:call-template name="concept-in"/></relationship></xsl:for-each>
              </xsl:for-each>
              <xsl:for-each select="*/h:name[normalize-space()]"><name><xsl:call-template name="name-in"/></name></xsl:for-each>
              <xsl:call-template name="contacts-in"/>
              <xsl:for-each select="parent::h:participant/h:time"><xsl:call-template name="period-in"/></xsl:for-each>
            </RelatedPerson>
          </resource>
        </entry>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- ============================================================ who cares for the person -->

  <!-- A team, and beside it the people and organizations in it. -->
  <xsl:template name="team">
    <xsl:param name="key"/>
    <xsl:param name="members"/>
    <xsl:variable name="state" select="h:statusCode/@code"/>
    <entry>
      <fullUrl value="{$key}"/>
      <resource>
        <CareTeam>
          <xsl:for-each select="self::h:organizer/h:id[@root != '']"><identifier><xsl:call-template name="identifier-in"/></identifier></xsl:for-each>
          <xsl:choose>
            <xsl:when test="$state = 'active' or $state = 'suspended'"><status value="{$state}"/></xsl:when>
            <xsl:when test="$state = 'completed' or $state = 'aborted' or $state = 'cancelled' or $state = 'obsolete'"><status value="inactive"/></xsl:when>
          </xsl:choose>
          <xsl:variable name="called"><xsl:apply-templates select="self::h:organizer/h:code/h:originalText" mode="text"/></xsl:variable>
          <xsl:if test="normalize-space($called)"><name value="{normalize-space($called)}"/></xsl:if>
          <xsl:for-each select="self::h:organizer/h:component/h:observation[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.500.2' or h:code/@code = '86744-0']/h:value[@code != '' or @displayName != '']"><category><xsl:call-template name="concept-in"/></category></xsl:for-each>
          <subject><reference value="Patient/person"/></subject>
          <xsl:for-each select="h:effectiveTime"><xsl:call-template name="period-in"/></xsl:for-each>
          <xsl:for-each select="$members"><xsl:apply-templates select="." mode="member"><xsl:with-param name="key" select="concat($key, '/', position())"/></xsl:apply-templates></xsl:for-each>
          <!-- FHIR has no status for a member. -->
          <xsl:for-each select="$members/self::h:act[h:statusCode/@code = 'completed' or h:statusCode/@code = 'aborted'][not(h:effectiveTime/h:high/@value)]">
            <note><text><xsl:attribute name="value">No longer a member: <xsl:apply-templates select="(h:performer/h:assignedEntity/h:assignedPerson/h:name | h:participant/h:participantRole/h:playingEntity/h:name)[1]" mode="words"/></xsl:attribute></text></note>
          </xsl:for-each>
        </CareTeam>
      </resource>
    </entry>
    <xsl:for-each select="$members"><xsl:apply-templates select="(self::h:performer | h:performer)[1]/h:assignedEntity" mode="people"><xsl:with-param name="key" select="concat($key, '/', position())"/></xsl:apply-templates></xsl:for-each>
  </xsl:template>

  <!-- One member: an act of a team, or a performer of the header. -->
  <xsl:template match="h:act | h:performer" mode="member">
    <xsl:param name="key"/>
    <xsl:variable name="one" select="(self::h:performer | h:performer)[1]"/>
    <xsl:variable name="entity" select="$one/h:assignedEntity"/>
    <xsl:variable name="person" select="$entity/h:assignedPerson/h:name[normalize-space()]"/>
    <xsl:variable name="house" select="$entity/h:representedOrganization[not(@nullFlavor)][normalize-space(h:name)]"/>
    <!-- Somebody of the family, or a neighbour. -->
    <xsl:variable name="other" select="h:participant/h:participantRole[h:playingEntity/h:name[normalize-space()]]"/>
    <xsl:variable name="roles" select="($one/*[local-name() = 'functionCode'] | $entity/h:code | $other[not($one)]/h:code)[@code != '' or @displayName != '']"/>
    <xsl:if test="$person or $house or $other">
      <participant>
        <xsl:for-each select="$roles"><role><xsl:call-template name="concept-in"/></role></xsl:for-each>
        <member>
          <xsl:choose>
            <xsl:when test="$person">
              <reference value="{$key}/person"/>
              <display><xsl:attribute name="value"><xsl:apply-templates select="$person[1]" mode="words"/></xsl:attribute></display>
            </xsl:when>
            <xsl:when test="$house"><reference value="{$key}/house"/><display value="{normalize-space($house/h:name)}"/></xsl:when>
            <xsl:otherwise><display><xsl:attribute name="value"><xsl:apply-templates select="$other[1]/h:playingEntity/h:name[1]" mode="words"/></xsl:attribute></display></xsl:otherwise>
          </xsl:choose>
        </member>
        <xsl:if test="$person and $house"><onBehalfOf><reference value="{$key}/house"/><display value="{normalize-space($house/h:name)}"/></onBehalfOf></xsl:if>
        <xsl:for-each select="self::h:act/h:effectiveTime | self::h:performer/h:time"><xsl:call-template name="period-in"/></xsl:for-each>
      </participant>
    </xsl:if>
  </xsl:template>

  <xsl:template match="h:assignedEntity" mode="people">
    <xsl:param name="key"/>
    <xsl:if test="h:assignedPerson/h:name[normalize-space()]">
      <entry>
        <fullUrl value="{$key}/person"/>
        <resource>
          <Practitioner>
            <xsl:for-each select="h:id[@root != ''][not(@nullFlavor)]"><identifier><xsl:call-template name="identifier-in"/></identifier></xsl:for-each>
            <xsl:for-each select="h:assignedPerson/h:name[normalize-space()]"><name><xsl:call-template name="name-in"/></name></xsl:for-each>
            <xsl:call-template name="contacts-in"/>
          </Practitioner>
        </resource>
      </entry>
    </xsl:if>
    <xsl:for-each select="h:representedOrganization[not(@nullFlavor)][normalize-space(h:name)]">
      <entry>
        <fullUrl value="{$key}/house"/>
        <resource>
          <Organization>
            <xsl:for-each select="h:id[@root != ''][not(@nullFlavor)]"><identifier><xsl:call-template name="identifier-in"/></identifier></xsl:for-each>
            <name value="{normalize-space(h:name)}"/>
            <xsl:call-template name="contacts-in"/>
          </Organization>
        </resource>
      </entry>
    </xsl:for-each>
    <xsl:call-template name="acting-as"><xsl:with-param name="key" select="$key"/></xsl:call-template>
  </xsl:template>

  <!-- As what somebody acts, for which organization, and where that is. -->
  <xsl:template name="acting-as">
    <xsl:param name="key"/>
    <xsl:variable name="person" select="h:assignedPerson/h:name[normalize-space()]"/>
    <xsl:variable name="house" select="h:representedOrganization[not(@nullFlavor)][normalize-space(h:name)]"/>
    <xsl:variable name="said" select="(../*[local-name() = 'functionCode'] | h:code)[@code != '' or @displayName != '']"/>
    <!-- Of several addresses nobody says at which one. -->
    <xsl:variable name="place" select="$house/h:addr[not(@nullFlavor)][normalize-space()][count($house/h:addr[not(@nullFlavor)][normalize-space()]) = 1]"/>
    <xsl:if test="$person and ($house or $said)">
      <entry>
        <fullUrl value="{$key}/role"/>
        <resource>
          <PractitionerRole>
            <practitioner>
              <reference value="{$key}/person"/>
              <display><xsl:attribute name="value"><xsl:apply-templates select="$person[1]" mode="words"/></xsl:attribute></display>
            </practitioner>
            <xsl:if test="$house"><organization><reference value="{$key}/house"/><display value="{normalize-space($house/h:name)}"/></organization></xsl:if>
            <xsl:for-each select="$said[not(self::h:code[@codeSystem = $fields])]"><code><xsl:call-template name="concept-in"/></code></xsl:for-each>
            <xsl:for-each select="$said/self::h:code[@codeSystem = $fields]"><specialty><xsl:call-template name="concept-in"/></specialty></xsl:for-each>
            <xsl:if test="$place"><location><reference value="{$key}/place"/><display value="{normalize-space($house/h:name)}"/></location></xsl:if>
            <xsl:call-template name="telecoms-in"/>
          </PractitionerRole>
        </resource>
      </entry>
      <xsl:if test="$place">
        <entry>
          <fullUrl value="{$key}/place"/>
          <resource>
            <Location>
              <name value="{normalize-space($house/h:name)}"/>
              <xsl:for-each select="$house"><xsl:call-template name="contacts-in"/></xsl:for-each>
              <managingOrganization><reference value="{$key}/house"/><display value="{normalize-space($house/h:name)}"/></managingOrganization>
            </Location>
          </resource>
        </entry>
      </xsl:if>
    </xsl:if>
  </xsl:template>

  <!-- ============================================================ parts of all of them -->

  <!-- A code with its words, and its translations. -->
  <xsl:template name="concept-in">
    <xsl:for-each select="(. | h:translation)[@code != '']">
      <coding>
        <xsl:variable name="known" select="substring-before(substring-after($fhir-systems, concat('|', @codeSystem, '=')), '|')"/>
        <xsl:if test="@codeSystem != ''"><system><xsl:attribute name="value"><xsl:value-of select="$known"/><xsl:if test="$known = ''"><xsl:value-of select="concat('urn:oid:', @codeSystem)"/></xsl:if></xsl:attribute></system></xsl:if>
        <code value="{normalize-space(@code)}"/>
        <xsl:if test="@displayName != ''"><display value="{@displayName}"/></xsl:if>
      </coding>
    </xsl:for-each>
    <xsl:variable name="words"><xsl:value-of select="@displayName"/><xsl:if test="not(@displayName != '')"><xsl:apply-templates select="h:originalText" mode="text"/></xsl:if></xsl:variable>
    <xsl:if test="normalize-space($words)"><text value="{normalize-space($words)}"/></xsl:if>
  </xsl:template>

  <xsl:template name="identifier-in">
    <xsl:choose>
      <xsl:when test="@extension != ''">
        <system><xsl:attribute name="value"><xsl:if test="@root = $npi">http://hl7.org/fhir/sid/us-npi</xsl:if><xsl:if test="@root != $npi"><xsl:apply-templates select="@root" mode="uri"/></xsl:if></xsl:attribute></system>
        <value value="{@extension}"/>
      </xsl:when>
      <xsl:otherwise>
        <system value="urn:ietf:rfc:3986"/>
        <value><xsl:attribute name="value"><xsl:apply-templates select="@root" mode="uri"/></xsl:attribute></value>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A name that was given up is old, also where nobody knows when. -->
  <xsl:template name="name-in">
    <xsl:variable name="end" select="h:validTime/h:high[@value != '' or @nullFlavor = 'UNK']"/>
    <xsl:variable name="use" select="concat(' ', @use, ' ')"/>
    <xsl:choose>
      <xsl:when test="$end"><use value="old"/></xsl:when>
      <xsl:when test="*/@qualifier = 'BR'"><use value="maiden"/></xsl:when>
      <xsl:when test="contains($use, ' P ') or contains($use, ' ASGN ')"><use value="nickname"/></xsl:when>
      <xsl:when test="contains($use, ' L ')"><use value="official"/></xsl:when>
    </xsl:choose>
    <text><xsl:attribute name="value"><xsl:apply-templates select="." mode="words"/></xsl:attribute></text>
    <xsl:if test="normalize-space(h:family)"><family value="{normalize-space(h:family)}"/></xsl:if>
    <xsl:for-each select="h:given[normalize-space()]"><given value="{normalize-space()}"/></xsl:for-each>
    <xsl:for-each select="h:prefix[normalize-space()]"><prefix value="{normalize-space()}"/></xsl:for-each>
    <xsl:for-each select="h:suffix[normalize-space()]"><suffix value="{normalize-space()}"/></xsl:for-each>
    <xsl:for-each select="h:validTime"><xsl:call-template name="period-in"/></xsl:for-each>
  </xsl:template>

  <xsl:template name="contacts-in">
    <xsl:call-template name="telecoms-in"/>
    <xsl:call-template name="addresses-in"/>
  </xsl:template>

  <xsl:template name="telecoms-in">
    <xsl:for-each select="h:telecom[contains(@value, ':')][not(@nullFlavor)]">
      <xsl:variable name="kind" select="substring-before(@value, ':')"/>
      <xsl:variable name="use" select="concat(' ', @use, ' ')"/>
      <telecom>
        <system value="{concat(substring('phone', 1, 5 * ($kind = 'tel')), substring('email', 1, 5 * ($kind = 'mailto')), substring('fax', 1, 3 * ($kind = 'fax')), substring('url', 1, 3 * starts-with($kind, 'http')), substring('other', 1, 5 * not($kind = 'tel' or $kind = 'mailto' or $kind = 'fax' or starts-with($kind, 'http'))))}"/>
        <value><xsl:attribute name="value"><xsl:if test="starts-with($kind, 'http')"><xsl:value-of select="@value"/></xsl:if><xsl:if test="not(starts-with($kind, 'http'))"><xsl:value-of select="substring-after(@value, ':')"/></xsl:if></xsl:attribute></value>
        <xsl:choose>
          <xsl:when test="contains($use, ' MC ')"><use value="mobile"/></xsl:when>
          <xsl:when test="contains($use, ' WP ')"><use value="work"/></xsl:when>
          <xsl:when test="contains($use, ' H')"><use value="home"/></xsl:when>
        </xsl:choose>
      </telecom>
    </xsl:for-each>
  </xsl:template>

  <xsl:template name="addresses-in">
    <xsl:for-each select="h:addr[not(@nullFlavor)][normalize-space()]">
      <xsl:variable name="use" select="concat(' ', @use, ' ')"/>
      <xsl:variable name="time" select="h:useablePeriod | h:usablePeriod"/>
      <address>
        <xsl:choose>
          <xsl:when test="$time/h:high[@value != '' or @nullFlavor = 'UNK'] or contains($use, ' BAD ') or contains($use, ' OLD ')"><use value="old"/></xsl:when>
          <xsl:when test="contains($use, ' TMP ')"><use value="temp"/></xsl:when>
          <xsl:when test="contains($use, ' WP ')"><use value="work"/></xsl:when>
          <xsl:when test="contains($use, ' H')"><use value="home"/></xsl:when>
        </xsl:choose>
        <xsl:if test="not(*)"><text value="{normalize-space()}"/></xsl:if>
        <xsl:for-each select="h:streetAddressLine[normalize-space()]"><line value="{normalize-space()}"/></xsl:for-each>
        <xsl:if test="normalize-space(h:city)"><city value="{normalize-space(h:city)}"/></xsl:if>
        <xsl:if test="normalize-space(h:state)"><state value="{normalize-space(h:state)}"/></xsl:if>
        <xsl:if test="normalize-space(h:postalCode)"><postalCode value="{normalize-space(h:postalCode)}"/></xsl:if>
        <xsl:if test="normalize-space(h:country)"><country value="{normalize-space(h:country)}"/></xsl:if>
        <xsl:for-each select="$time"><xsl:call-template name="period-in"/></xsl:for-each>
      </address>
    </xsl:for-each>
  </xsl:template>

  <xsl:template name="period-in">
    <xsl:variable name="start"><xsl:call-template name="moment"><xsl:with-param name="ts" select="(h:low/@value | @value)[1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="end"><xsl:call-template name="moment"><xsl:with-param name="ts" select="h:high/@value"/></xsl:call-template></xsl:variable>
    <xsl:if test="$start != '' or $end != ''">
      <period>
        <xsl:if test="$start != ''"><start value="{$start}"/></xsl:if>
        <xsl:if test="$end != ''"><end value="{$end}"/></xsl:if>
      </period>
    </xsl:if>
  </xsl:template>

  <!-- A time as FHIR has it: of one without a zone the day. -->
  <xsl:template name="moment">
    <xsl:param name="ts"/>
    <xsl:variable name="time"><xsl:call-template name="time"><xsl:with-param name="ts" select="$ts"/></xsl:call-template></xsl:variable>
    <xsl:variable name="zoned" select="translate(substring($time, 20), '+-', '') != substring($time, 20)"/>
    <xsl:value-of select="concat(substring($time, 1, 10 * not($zoned)), substring($time, 1, 99 * $zoned))"/>
  </xsl:template>
</xsl:stylesheet>
