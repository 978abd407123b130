<?xml version="1.0" encoding="UTF-8"?>
<!-- FHIR R4 to facts: a Bundle or one resource alone. Every resource becomes drafts: a Model, a Reading (one vital
     sign) or a LeftOut with its reason. ../common/facts.xsl makes facts of these drafts. The tables below say what maps
     to what; README.md explains it in words. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:f="http://hl7.org/fhir" xmlns:x="http://www.w3.org/1999/xhtml" xmlns:exsl="http://exslt.org/common" xmlns:str="http://exslt.org/strings" exclude-result-prefixes="f x exsl str">
  <xsl:include href="../common/units.xsl"/>
  <xsl:include href="../common/facts.xsl"/>
  <xsl:output method="xml" encoding="UTF-8"/>

  <!-- A resource by its full URL, by type and id, and a contained one by the resource around it. A sender may give the
       same id to thousands of resources, and each look-up finds them all. So take (key(...))[1], which reads none of
       the others, and filter afterwards. -->
  <xsl:key name="resource" match="/f:Bundle/f:entry/f:resource/*" use="../../f:fullUrl/@value"/>
  <xsl:key name="resource" match="/f:Bundle/f:entry/f:resource/*" use="concat(local-name(), '/', f:id/@value)"/>
  <xsl:key name="resource" match="/f:*//f:contained/*" use="concat(generate-id(../..), '#', f:id/@value)"/>
  <!-- Versions of one thing: of the same person and name under the same address, or under the same id. An id whose giver
       is not known, and that no version goes with, might mean another thing at another time. -->
  <xsl:key name="versions" match="/f:Bundle/f:entry/f:resource/*[f:id/@value or ../../f:fullUrl/@value]" use="concat(local-name(), ' ', ../../f:fullUrl/@value, ' ', f:id/@value, ' ', (f:subject | f:patient)/f:reference/@value, ' ', (f:code | f:medicationCodeableConcept | f:vaccineCode)/f:coding/f:code/@value, ' ', (f:code | f:medicationCodeableConcept | f:vaccineCode)[not(f:coding/f:code)]/f:text/@value, f:medicationReference/f:reference/@value, ' ', f:*[self::f:effectiveDateTime or self::f:occurrenceDateTime or self::f:performedDateTime or self::f:period][not(starts-with(../../../f:fullUrl/@value, 'http') or ../f:meta/f:versionId or ../f:meta/f:lastUpdated)]//@value)"/>
  <xsl:key name="deleted" match="/f:Bundle/f:entry[f:request/f:method/@value = 'DELETE'][not(f:resource)]" use="f:fullUrl/@value | f:request/f:url/@value"/>
  <xsl:key name="naming-result" match="/f:*//f:DiagnosticReport/f:result/f:reference|/f:DiagnosticReport/f:result/f:reference" use="@value"/>
  <xsl:key name="laboratory-result" match="/f:Bundle//f:DiagnosticReport[f:category/f:coding/f:code[@value = 'LAB' or @value = 'laboratory']]" use="f:result/f:reference/@value"/>
  <xsl:key name="naming-encounter" match="/f:*//f:encounter/f:reference" use="@value"/>
  <xsl:key name="use-of" match="/f:Bundle/f:entry/f:resource/f:DeviceUseStatement" use="f:device/f:reference/@value"/>
  <!-- How a medicine was stopped, as Dutch and Australian senders say it. -->
  <xsl:key name="stop" match="f:MedicationRequest/f:extension[contains(@url, 'StopType') or contains(@url, '/change-type')]|f:MedicationRequest/f:modifierExtension[contains(@url, 'StopType') or contains(@url, '/change-type')]|f:MedicationStatement/f:extension[contains(@url, 'StopType') or contains(@url, '/change-type')]|f:MedicationStatement/f:modifierExtension[contains(@url, 'StopType') or contains(@url, '/change-type')]" use="generate-id(..)"/>
  <!-- The lists and sections with a title or a code that name a resource, and what replaces a prescription, a request or a plan. -->
  <xsl:key name="listed-in" match="f:section[f:title or f:code]/f:entry|f:List[f:title or f:code]/f:entry" use="f:reference/@value|f:item/f:reference/@value"/>
  <xsl:key name="replacing" match="/f:Bundle/f:entry/f:resource/f:MedicationRequest/f:priorPrescription|/f:Bundle/f:entry/f:resource/f:ServiceRequest/f:replaces|/f:Bundle/f:entry/f:resource/f:CarePlan/f:replaces" use="f:reference/@value"/>
  <xsl:key name="replacing-document" match="/f:Bundle/f:entry/f:resource/f:DocumentReference/f:relatesTo[f:code/@value = 'replaces']" use="f:target/f:reference/@value"/>
  <xsl:key name="dispense-of" match="/f:Bundle/f:entry/f:resource/f:MedicationDispense" use="f:authorizingPrescription/f:reference/@value"/>

  <xsl:variable name="tables" select="exsl:node-set($table-rows)"/>
  <!-- Rows are searched in a text, which is much faster than walking through them. -->
  <xsl:variable name="system-rows"><xsl:for-each select="$tables/system"><xsl:value-of select="concat('|', @uri, '=', @to)"/></xsl:for-each>|</xsl:variable>
  <xsl:variable name="systems" select="string($system-rows)"/>
  <xsl:variable name="vital-rows"><xsl:for-each select="$words/vital"><xsl:value-of select="concat('|', substring($loinc-uri, 1, 99 * boolean(@from)), substring($snomed-uri, 1, 99 * boolean(@snomed)), ' ', @from, @snomed, '=', @column, ';', @to, ';', @title, ';', @position)"/></xsl:for-each>|</xsl:variable>
  <xsl:variable name="vitals" select="string($vital-rows)"/>
  <xsl:variable name="rxnorm-uri" select="'http://purl.bioontology.org/ontology/RXNORM/'"/>
  <xsl:variable name="ndfrt-uri" select="'http://purl.bioontology.org/ontology/NDFRT/'"/>
  <xsl:variable name="unii-uri" select="'http://fda.gov/UNII/'"/>
  <xsl:variable name="cvx-uri" select="'http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#'"/>
  <xsl:variable name="cpt-uri" select="'http://purl.bioontology.org/ontology/CPT/'"/>
  <xsl:variable name="act-code-uri" select="'http://terminology.hl7.org/CodeSystem/v3-ActCode'"/>
  <xsl:variable name="digits" select="'0123456789'"/>
  <xsl:variable name="capitals" select="'ABCDEFGHIJKLMNOPQRSTUVWXYZ'"/>
  <xsl:variable name="smalls" select="'abcdefghijklmnopqrstuvwxyz'"/>

  <xsl:variable name="table-rows">
    <!-- Code systems for which the models have another name; the others keep their own. -->
    <system uri="http://snomed.info/sct" to="http://purl.bioontology.org/ontology/SNOMEDCT/"/>
    <system uri="urn:oid:2.16.840.1.113883.6.96" to="http://purl.bioontology.org/ontology/SNOMEDCT/"/>
    <system uri="http://www.nlm.nih.gov/research/umls/rxnorm" to="http://purl.bioontology.org/ontology/RXNORM/"/>
    <system uri="urn:oid:2.16.840.1.113883.6.88" to="http://purl.bioontology.org/ontology/RXNORM/"/>
    <system uri="http://loinc.org" to="http://purl.bioontology.org/ontology/LNC/"/>
    <system uri="urn:oid:2.16.840.1.113883.6.1" to="http://purl.bioontology.org/ontology/LNC/"/>
    <system uri="http://hl7.org/fhir/sid/cvx" to="http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#"/>
    <system uri="urn:oid:2.16.840.1.113883.12.292" to="http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#"/>
    <system uri="http://hl7.org/fhir/ndfrt" to="http://purl.bioontology.org/ontology/NDFRT/"/>
    <system uri="urn:oid:2.16.840.1.113883.3.26.1.5" to="http://purl.bioontology.org/ontology/NDFRT/"/>
    <system uri="http://fdasis.nlm.nih.gov" to="http://fda.gov/UNII/"/>
    <system uri="urn:oid:2.16.840.1.113883.4.9" to="http://fda.gov/UNII/"/>
    <system uri="http://www.ama-assn.org/go/cpt" to="http://purl.bioontology.org/ontology/CPT/"/>
    <system uri="urn:oid:2.16.840.1.113883.6.12" to="http://purl.bioontology.org/ontology/CPT/"/>
    <system uri="http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets" to="http://purl.bioontology.org/ontology/HCPCS/"/>
    <system uri="http://www.cms.gov/Medicare/Coding/ICD10" to="http://purl.bioontology.org/ontology/ICD10PCS/"/>
    <system uri="http://hl7.org/fhir/v3/ActCode" to="http://terminology.hl7.org/CodeSystem/v3-ActCode"/>
    <system uri="http://terminology.hl7.org/CodeSystem/v3-ActCode" to="http://terminology.hl7.org/CodeSystem/v3-ActCode"/>
    <system uri="urn:oid:2.16.840.1.113883.5.4" to="http://terminology.hl7.org/CodeSystem/v3-ActCode"/>

    <!-- Resources to which others point, or that say how a document was made. They are read where others point to them,
         and never count as left out. -->
    <support name="Patient"/>
    <support name="RelatedPerson"/>
    <support name="Practitioner"/>
    <support name="PractitionerRole"/>
    <support name="Organization"/>
    <support name="Location"/>
    <support name="Medication"/>
    <support name="Specimen"/>
    <support name="Provenance"/>
    <support name="Composition"/>
    <support name="OperationOutcome"/>

    <!-- Statements about the person that may stand inside another resource, and sections of texts. -->
    <inside name="AllergyIntolerance" model="Allergy"/>
    <inside name="Condition" model="Problem"/>
    <inside name="Immunization" model="Immunization"/>
    <inside name="MedicationRequest" model="Medication"/>
    <inside name="MedicationStatement" model="Medication"/>
    <inside name="MedicationAdministration" model="Medication"/>
    <inside name="Procedure" model="Procedure"/>
    <inside name="FamilyMemberHistory" model="FamilyHistory"/>
    <inside name="Goal" model="Goal"/>
    <inside name="DiagnosticReport" model="LabPanel"/>
    <inside name="Flag" model="Flag"/>
    <inside name="DeviceUseStatement" model="Equipment"/>
    <inside name="CarePlan" model="CarePlan"/>
    <part code="48765-2" kind="Allergy"/>
    <part code="11450-4" kind="Problem"/>
    <part code="11348-0" kind="Problem"/>
    <part code="10160-0" kind="Medication"/>
    <part code="11369-6" kind="Immunization"/>
    <part code="30954-2" kind="LabResult"/>
    <part code="8716-3" kind="VitalSigns"/>
    <part code="47519-4" kind="Procedure"/>
    <part code="29762-2" kind="SocialHistory"/>
    <part code="46264-8" kind="Equipment"/>
    <part code="10157-6" kind="FamilyHistory"/>
    <part code="42348-3" kind="AdvanceDirective"/>
    <part code="18776-5" kind="CarePlan"/>
    <part code="46240-8" kind="Encounter"/>
    <part code="61146-7" kind="Goal"/>
    <part code="47420-5" kind="FunctionalStatus"/>
    <part code="10164-2" kind="HistoryOfPresentIllness"/>
    <part code="29299-5" kind="ReasonForVisit"/>
    <part code="8648-8" kind="HospitalCourse"/>
    <part code="51848-0" kind="Assessment"/>
    <part code="48768-6" kind="Coverage"/>

    <!-- Kinds of allergy, in words. -->
    <kind code="medication" title="Drug"/>
    <kind code="food" title="Food"/>
    <kind code="environment" title="Environmental"/>
    <kind code="biologic" title="Biologic"/>

    <!-- Categories of a Consent that say what somebody wants done when they cannot say it any more. -->
    <directive code="acd"/>
    <directive code="dnr"/>
    <directive code="emrgonly"/>
    <directive code="hcd"/>
    <directive code="polst"/>
    <directive code="42348-3"/>
    <directive code="64298-3"/>
    <directive code="75320-2"/>
    <directive code="81334-5"/>
    <directive code="84095-9"/>
    <directive code="86533-7"/>
    <directive code="92664-0"/>

    <!-- What an activity of a plan is. -->
    <activity kind="Appointment" title="visit"/>
    <activity kind="CommunicationRequest" title="advice"/>
    <activity kind="DeviceRequest" title="device"/>
    <activity kind="MedicationRequest" title="medicine"/>
    <activity kind="NutritionOrder" title="diet"/>
    <activity kind="Task" title="task"/>
    <activity kind="ServiceRequest" title="procedure"/>
    <activity kind="VisionPrescription" title="glasses"/>

    <!-- Units of ages. -->
    <age unit="a">year</age>
    <age unit="mo">month</age>
    <age unit="wk">week</age>
    <age unit="d">day</age>
    <age unit="h">hour</age>
    <age unit="min">minute</age>

    <!-- Codes of panels that only hold vital signs together. -->
    <panel code="85353-1"/>
    <panel code="85354-9"/>
    <panel code="55284-4"/>
  </xsl:variable>

  <!-- ============================================================ the whole document -->

  <!-- The person of this document: its subject, else the first patient; without any patient, the one that the first
       resource names. -->
  <xsl:variable name="patients" select="/f:Bundle/f:entry/f:resource/f:Patient"/>
  <xsl:variable name="subject" select="(key('resource', string(/f:Bundle/f:entry[1]/f:resource/f:Composition/f:subject/f:reference/@value)))[1][self::f:Patient]"/>
  <xsl:variable name="person" select="($subject | ($patients)[1][not($subject)])[1]"/>
  <xsl:variable name="with-patients" select="boolean($patients)"/>
  <!-- Whether subjects of the Bundle lead to its Patient: then one that leads to another id is another person. -->
  <xsl:variable name="leads" select="boolean($person/f:id/@value) and boolean((/f:Bundle/f:entry/f:resource/*/*[self::f:subject or self::f:patient]/f:reference[key('resource', string(@value))[self::f:Patient]])[1])"/>
  <xsl:variable name="first-naming" select="(/f:Bundle/f:entry/f:resource/*[f:subject/f:reference/@value or f:patient/f:reference/@value or f:beneficiary/f:reference/@value])[1]"/>
  <xsl:variable name="first-named" select="(($first-naming | /*[not(self::f:Bundle)])/*[self::f:subject or self::f:patient or self::f:beneficiary]/f:reference/@value)[1]"/>
  <xsl:variable name="first-whom" select="substring-before(concat($first-named, '/_history/'), '/_history/')"/>
  <!-- The first name of a subject, where no Patient is here, and the words of the name of the person. -->
  <xsl:variable name="first-display" select="normalize-space(((/f:Bundle/f:entry/f:resource/* | /*[not(self::f:Bundle)])/*[self::f:subject or self::f:patient or self::f:beneficiary]/f:display/@value[normalize-space()])[1])"/>
  <!-- Letters with a mark, and the same without. -->
  <xsl:variable name="marked" select="'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿĀāĂăĄąĆćĈĉĊċČčĎďĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĨĩĪīĬĭĮįİĴĵĶķĹĺĻļĽľŃńŅņŇňŌōŎŏŐőŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽžẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặẸẹẺẻẼẽẾếỀềỂểỄễỆệỈỉỊịỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợỤụỦủỨứỪừỬửỮữỰựỲỳỴỵỶỷỸỹ'"/>
  <xsl:variable name="unmarked" select="'aaaaaaceeeeiiiinooooouuuuyaaaaaaceeeeiiiinooooouuuuyyaaaaaaccccccccddeeeeeeeeeegggggggghhiiiiiiiiijjkkllllllnnnnnnoooooorrrrrrssssssssttttuuuuuuuuuuuuwwyyyzzzzzzaaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy'"/>
  <xsl:variable name="own-name">
    <xsl:choose>
      <xsl:when test="$person"><xsl:for-each select="$person/f:name//@value"><xsl:value-of select="concat(., ' ')"/></xsl:for-each></xsl:when>
      <xsl:otherwise><xsl:value-of select="$first-display"/></xsl:otherwise>
    </xsl:choose>
  </xsl:variable>
  <xsl:variable name="own-name-words"><xsl:text> </xsl:text><xsl:call-template name="words-of-name"><xsl:with-param name="name" select="$own-name"/></xsl:call-template></xsl:variable>
  <xsl:variable name="has-odd-dates" select="boolean(//@value[substring(., 5, 1) = '-' or string-length() = 4][substring(., 1, 4) &gt; 2199 or substring(., 1, 4) &lt; 1800][string-length() &lt; 40][substring(., 1, 4) &gt; 1 and substring(., 1, 4) != 9999][parent::f:start or parent::f:end or parent::f:date or parent::f:authoredOn or parent::f:whenHandedOver or parent::f:issued or parent::f:authored or parent::f:dateAsserted or parent::f:created or parent::f:recorded or parent::f:effectiveInstant or parent::f:lastOccurrence or parent::f:onset or parent::f:event or contains(local-name(..), 'Date')])"/>
  <xsl:variable name="history" select="/f:Bundle/f:type/@value = 'history'"/>

  <!-- Whether two resources have the same address, or where they have none, the same id: most Bundles have none such, and
       comparing all resources takes long. -->
  <xsl:variable name="has-versions" select="boolean((/f:Bundle/f:entry/f:resource/*[generate-id((key('resource', concat(../../f:fullUrl/@value, substring(concat(local-name(), '/', f:id/@value), 1, 999 * not(../../f:fullUrl/@value)))))[1]) != generate-id()])[1])"/>
  <!-- Resources of which the Bundle has a newer version, by their ids in this stylesheet: "|id|id|", or nothing. -->
  <xsl:variable name="older-ids"><xsl:for-each select="/f:Bundle[$has-versions]/f:entry/f:resource/*[f:id/@value or ../../f:fullUrl/@value]"><xsl:apply-templates select="." mode="older"/></xsl:for-each></xsl:variable>
  <xsl:variable name="older" select="string($older-ids)"/>

  <!-- How far a thing has come, where its versions have no number and no time: what is final counts more than what is
       preliminary. Nothing is said of states that may come and go. -->
  <xsl:variable name="stages" select="'|draft1|registered1|planned1|proposed1|intended1|preparation1|unknown1|provisional1|unconfirmed1|differential1|partial2|preliminary2|arrived2|triaged2|in-progress2|onleave2|active2|on-hold2|inactive2|amended4|corrected4|appended4|entered-in-error9|'"/>

  <xsl:template match="*" mode="older">
    <xsl:variable name="name" select="concat(local-name(), ' ', ../../f:fullUrl/@value, ' ', f:id/@value, ' ', (f:subject | f:patient)/f:reference/@value, ' ', (f:code | f:medicationCodeableConcept | f:vaccineCode)/f:coding/f:code/@value, ' ', (f:code | f:medicationCodeableConcept | f:vaccineCode)[not(f:coding/f:code)]/f:text/@value, f:medicationReference/f:reference/@value, ' ', f:*[self::f:effectiveDateTime or self::f:occurrenceDateTime or self::f:performedDateTime or self::f:period][not(starts-with(../../../f:fullUrl/@value, 'http') or ../f:meta/f:versionId or ../f:meta/f:lastUpdated)]//@value)"/>
    <xsl:variable name="all" select="key('versions', $name)"/>
    <xsl:if test="$all[2] and generate-id($all[1]) = generate-id()">
      <xsl:variable name="numbered" select="not($all[not(f:meta/f:versionId/@value &gt;= 0)])"/>
      <xsl:variable name="updated" select="not($all[not(f:meta/f:lastUpdated)])"/>
      <xsl:variable name="issued" select="not($all[not(f:issued)])"/>
      <xsl:variable name="keys">
        <xsl:for-each select="$all">
          <xsl:variable name="state" select="(f:verificationStatus/f:coding/f:code | f:status)[1]/@value"/>
          <k of="{generate-id()}">
            <xsl:attribute name="number"><xsl:value-of select="concat(f:meta/f:versionId[$numbered]/@value, substring('0', 1, number(not($numbered))))"/></xsl:attribute>
            <xsl:attribute name="at"><xsl:call-template name="moment"><xsl:with-param name="of" select="f:meta/f:lastUpdated[$updated]/@value"/></xsl:call-template></xsl:attribute>
            <xsl:attribute name="stage"><xsl:value-of select="concat(substring(substring-after($stages, concat('|', $state)), 1, number(contains($stages, concat('|', $state)) and $state != '')), substring('3', 1, number(not($state != '' and contains($stages, concat('|', $state))))))"/></xsl:attribute>
            <xsl:attribute name="issued"><xsl:call-template name="moment"><xsl:with-param name="of" select="f:issued[$issued]/@value"/></xsl:call-template></xsl:attribute>
          </k>
        </xsl:for-each>
      </xsl:variable>
      <xsl:variable name="ranked">
        <xsl:for-each select="exsl:node-set($keys)/*">
          <xsl:sort select="@number" data-type="number" order="descending"/>
          <xsl:sort select="@at" data-type="number" order="descending"/>
          <xsl:sort select="@stage" data-type="number" order="descending"/>
          <xsl:sort select="@issued" data-type="number" order="descending"/>
          <xsl:copy-of select="."/>
        </xsl:for-each>
      </xsl:variable>
      <xsl:variable name="newest" select="exsl:node-set($ranked)/*[1]"/>
      <xsl:for-each select="exsl:node-set($ranked)/*[@number != $newest/@number or @at != $newest/@at or @stage != $newest/@stage or @issued != $newest/@issued]"><xsl:value-of select="concat('|', @of, '|')"/></xsl:for-each>
    </xsl:if>
  </xsl:template>

  <!-- The seconds of a time since a fixed day, by the months of a year that begins in March; 0 for none. -->
  <xsl:template name="moment">
    <xsl:param name="of"/>
    <xsl:variable name="clock" select="substring-after($of, 'T')"/>
    <xsl:variable name="m" select="(number(substring($of, 6, 2)) + 9) mod 12"/>
    <xsl:variable name="y" select="number(substring($of, 1, 4)) - ($m &gt; 9)"/>
    <xsl:variable name="days" select="floor((153 * $m + 2) div 5) + number(substring($of, 9, 2)) + 365 * $y + floor($y div 4) - floor($y div 100) + floor($y div 400)"/>
    <xsl:variable name="seconds" select="number(substring-before(concat(translate(substring($clock, 7), '+-', 'ZZ'), 'Z'), 'Z'))"/>
    <xsl:variable name="zone" select="concat(substring-after($clock, '+'), substring-after($clock, '-'))"/>
    <xsl:variable name="ahead" select="(1 - 2 * contains($clock, '-')) * (3600 * number(concat('0', substring($zone, 1, 2))) + 60 * number(concat('0', substring($zone, 4, 2))))"/>
    <xsl:variable name="moment" select="86400 * $days + 3600 * number(concat('0', substring($clock, 1, 2))) + 60 * number(concat('0', substring($clock, 4, 2))) + $seconds - $ahead"/>
    <xsl:if test="not($moment = $moment)">0</xsl:if>
    <xsl:if test="$moment = $moment"><xsl:value-of select="format-number($moment, '0.000')"/></xsl:if>
  </xsl:template>

  <xsl:template match="/">
    <xsl:call-template name="facts">
      <xsl:with-param name="about">
        <xsl:apply-templates select="$whole" mode="about"/>
        <xsl:if test="not($whole)"><About><xsl:call-template name="whose"/></About></xsl:if>
      </xsl:with-param>
      <xsl:with-param name="source"><xsl:call-template name="source"/></xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <xsl:template match="/" mode="drafts">
    <xsl:variable name="matches" select="count(f:Bundle/f:entry[not(f:search/f:mode/@value = 'include' or f:search/f:mode/@value = 'outcome')])"/>
    <xsl:if test="f:Bundle/f:link/f:relation/@value = 'next' or (f:Bundle/f:type/@value = 'searchset' and f:Bundle/f:total/@value &gt; $matches)"><At where="Bundle"><LeftOut model="Bundle" reason="more_pages"/></At></xsl:if>
    <xsl:for-each select="f:Bundle/f:type/f:extension[@url = 'urn:svc:mended']"><At where="Bundle"><LeftOut model="Bundle" reason="{f:valueCode/@value}"/></At></xsl:for-each>
    <xsl:for-each select="f:Bundle/f:entry">
      <xsl:variable name="part" select="position()"/>
      <xsl:for-each select="f:resource/*">
        <At where="{local-name()}" part="{$part}"><xsl:apply-templates select="." mode="whole"/></At>
      </xsl:for-each>
    </xsl:for-each>
    <xsl:for-each select="*[not(self::f:Bundle)]"><At where="{local-name()}"><xsl:apply-templates select="." mode="whole"/></At></xsl:for-each>
  </xsl:template>

  <!-- The resource that describes the whole: the Composition that begins a document, else the only
       DocumentReference. -->
  <xsl:variable name="documents" select="/f:DocumentReference | /f:Bundle/f:entry/f:resource/f:DocumentReference"/>
  <xsl:variable name="composition" select="/f:Bundle/f:entry[1]/f:resource/f:Composition"/>
  <xsl:variable name="whole" select="($composition | $documents[not($composition) and count($documents) = 1])[not(f:status/@value = 'entered-in-error')]"/>

  <xsl:template match="*" mode="about">
    <xsl:variable name="loinc-coded" select="f:type/f:coding[f:system/@value = 'http://loinc.org'][f:code/@value != '']"/>
    <xsl:variable name="coding" select="($loinc-coded | f:type/f:coding[f:code/@value != ''][not($loinc-coded)])[1]"/>
    <xsl:variable name="kind"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:type[f:text or f:coding/f:display]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="titles" select="(f:title | f:description | f:content/f:attachment/f:title)/@value[normalize-space()]"/>
    <xsl:variable name="care" select="(f:event | f:context)/f:period"/>
    <xsl:variable name="dates" select="f:content/f:attachment/f:creation/@value"/>
    <About kind="{$kind}" code="{$coding/f:code/@value}" system="{$coding/f:system/@value}">
      <xsl:attribute name="title"><xsl:value-of select="$titles"/><xsl:if test="not($titles)"><xsl:value-of select="$kind"/></xsl:if></xsl:attribute>
      <xsl:attribute name="date"><xsl:call-template name="time"><xsl:with-param name="value" select="($dates | f:date[not($dates)]/@value)[1]"/></xsl:call-template></xsl:attribute>
      <xsl:attribute name="start"><xsl:call-template name="time"><xsl:with-param name="value" select="($care/f:start/@value)[1]"/></xsl:call-template></xsl:attribute>
      <xsl:attribute name="end"><xsl:call-template name="time"><xsl:with-param name="value" select="($care/f:end/@value)[1]"/></xsl:call-template></xsl:attribute>
      <xsl:attribute name="author"><xsl:apply-templates select="f:author[1]" mode="called"/></xsl:attribute>
      <xsl:attribute name="from"><xsl:apply-templates select="f:custodian" mode="called"/></xsl:attribute>
      <xsl:call-template name="whose"/>
    </About>
  </xsl:template>

  <!-- Who sent the document, which one it replaces, and of what it has whole lists. A DocumentReference says so of a
       document that has nothing else about the person. -->
  <xsl:variable name="described" select="$composition | $documents[not($composition) and count($documents) = 1][not(/f:Bundle/f:entry/f:resource/*[not(self::f:DocumentReference or self::f:Binary or self::f:Patient or self::f:Practitioner or self::f:PractitionerRole or self::f:Organization or self::f:Provenance)])]"/>
  <xsl:variable name="custodian"><xsl:apply-templates select="$described/f:custodian" mode="called"/></xsl:variable>

  <xsl:template name="source">
    <xsl:variable name="parts" select="$composition//f:section[f:entry]/f:code/f:coding/f:code/@value"/>
    <xsl:variable name="relations" select="$described/f:relatesTo"/>
    <Source sender="{normalize-space($custodian)}" kind="{$composition/f:type/f:coding[f:code][1]/f:code/@value}">
      <xsl:if test="$relations/f:code/@value = 'appends' and not($relations/f:code/@value = 'replaces')"><xsl:attribute name="adds">yes</xsl:attribute></xsl:if>
      <xsl:attribute name="date"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:Bundle/f:timestamp/@value | $described[not(../../../f:timestamp)]/f:date/@value)[1]"/><xsl:with-param name="exact" select="true()"/></xsl:call-template></xsl:attribute>
      <xsl:attribute name="id">
        <xsl:apply-templates select="f:Bundle/f:identifier | $described/f:identifier | $described/f:masterIdentifier" mode="instance"/>
        <xsl:value-of select="concat($described/../../f:fullUrl/@value, ' ')"/>
        <xsl:apply-templates select="$described[f:id]" mode="own-address"/>
      </xsl:attribute>
      <xsl:attribute name="replaces">
        <xsl:for-each select="$relations[f:code/@value = 'replaces']">
          <xsl:apply-templates select="f:targetIdentifier | (f:targetReference | f:target)/f:identifier" mode="instance"/>
          <xsl:apply-templates select="(f:targetReference | f:target)/f:reference" mode="address"/>
        </xsl:for-each>
      </xsl:attribute>
      <xsl:attribute name="lists">
        <xsl:if test="$parts = '11450-4'">Problem </xsl:if>
        <xsl:if test="$parts = '48765-2'">Allergy AllergyExclusion </xsl:if>
        <xsl:if test="$parts = '10160-0'">Medication </xsl:if>
        <xsl:if test="$parts = '46264-8'">Equipment </xsl:if>
      </xsl:attribute>
    </Source>
  </xsl:template>

  <!-- Names of a document, each with a space behind it. "Composition/1" is one only of a sender who is known; a version
       behind an address does not belong to it. -->
  <xsl:template match="*" mode="own-address"><xsl:if test="normalize-space($custodian) != ''"><xsl:value-of select="concat(local-name(), '/', f:id/@value, ' ')"/></xsl:if></xsl:template>
  <xsl:template match="*" mode="address">
    <xsl:variable name="of" select="substring-before(concat(@value, '/_history/'), '/_history/')"/>
    <xsl:if test="contains($of, ':') or normalize-space($custodian) != ''"><xsl:value-of select="concat($of, ' ')"/></xsl:if>
  </xsl:template>
  <xsl:template match="*" mode="instance">
    <xsl:value-of select="concat(translate(concat(f:system/@value, '|', f:value/@value), ' &#9;&#10;&#13;', ''), ' ')"/>
  </xsl:template>

  <!-- The person whose health the document is about. -->
  <xsl:template name="whose">
    <xsl:for-each select="$person">
      <xsl:attribute name="subject"><xsl:apply-templates select="(f:name[f:use/@value = 'official'] | f:name[not(f:use/@value = 'old')][1][not(../f:name/f:use/@value = 'official')] | f:name[1][not(../f:name[not(f:use/@value = 'old')])])[1]" mode="words"/></xsl:attribute>
      <xsl:variable name="born"><xsl:call-template name="time"><xsl:with-param name="value" select="f:birthDate/@value"/></xsl:call-template></xsl:variable>
      <xsl:if test="string-length(f:birthDate/@value) = 10"><xsl:attribute name="born"><xsl:value-of select="substring($born, 1, 10)"/></xsl:attribute></xsl:if>
    </xsl:for-each>
    <xsl:if test="not($person) and normalize-space($own-name-words) != ''"><xsl:attribute name="subject"><xsl:value-of select="$first-display"/></xsl:attribute></xsl:if>
  </xsl:template>

  <!-- A reference in words: the name of the person or organization to which it points, else its own words. -->
  <xsl:template match="*" mode="called">
    <xsl:variable name="entry" select="ancestor::*[parent::f:resource][1]"/>
    <xsl:variable name="around" select="generate-id($entry | /*[not($entry)][not(self::f:Bundle)])"/>
    <xsl:variable name="outside" select="key('resource', string(f:reference/@value))[1]"/>
    <xsl:variable name="direct" select="$outside | key('resource', concat($around, f:reference/@value))[1][not($outside)]"/>
    <xsl:variable name="behind" select="key('resource', string($direct[self::f:PractitionerRole]/f:practitioner/f:reference/@value))[1]"/>
    <xsl:variable name="who" select="$behind | $direct[not($behind)]"/>
    <xsl:choose>
      <xsl:when test="$who/f:name/@value"><xsl:value-of select="$who/f:name/@value"/></xsl:when>
      <xsl:when test="$who/f:name"><xsl:apply-templates select="($who/f:name[not(f:use/@value = 'old')] | $who[not(f:name[not(f:use/@value = 'old')])]/f:name)[1]" mode="words"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="f:display/@value"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A resource, and the observations inside it. What it says for all of them is computed once. -->
  <xsl:template match="*" mode="whole">
    <xsl:apply-templates select="." mode="resource"/>
    <xsl:if test="f:contained/f:Observation">
      <xsl:variable name="around">
        <Around>
          <xsl:attribute name="why"><xsl:apply-templates select="." mode="why"/></xsl:attribute>
          <xsl:attribute name="time"><xsl:call-template name="observed"/></xsl:attribute>
          <xsl:if test="self::f:DiagnosticReport/f:category/f:coding/f:code[@value = 'LAB' or @value = 'laboratory']"><xsl:attribute name="laboratory">yes</xsl:attribute></xsl:if>
          <xsl:call-template name="identity"/>
        </Around>
      </xsl:variable>
      <xsl:apply-templates select="f:contained/f:Observation" mode="resource"><xsl:with-param name="around" select="exsl:node-set($around)/Around"/></xsl:apply-templates>
    </xsl:if>
    <xsl:apply-templates select="f:contained/f:*" mode="inside"/>
  </xsl:template>

  <!-- What stands inside another resource says nothing for itself, so it is told, unless it is the reason of it. -->
  <xsl:template match="*" mode="inside">
    <xsl:variable name="address" select="concat('#', f:id/@value)"/>
    <xsl:variable name="model" select="$tables/inside[@name = local-name(current())]/@model"/>
    <xsl:if test="$model and not(../../f:reasonReference[position() &lt;= 50]/f:reference/@value = $address)"><LeftOut model="{$model}" reason="contained"/></xsl:if>
  </xsl:template>

  <!-- A section of text alone is told as such, as in C-CDA. -->
  <xsl:template match="f:Composition" mode="resource">
    <xsl:if test="not(f:status/@value = 'entered-in-error')">
      <xsl:for-each select=".//f:section[not(f:entry or f:section or f:emptyReason)][normalize-space(f:text/*[local-name() = 'div'])]">
        <xsl:variable name="kind" select="$tables/part[@code = current()/f:code/f:coding/f:code/@value][1]/@kind"/>
        <LeftOut model="{$kind}{substring('OtherSection', 1, 12 * not($kind))}" reason="narrative_only"/>
      </xsl:for-each>
    </xsl:if>
  </xsl:template>

  <!-- What a server says of its answer: what it did not give, or what was mended before it was read. -->
  <xsl:template match="f:OperationOutcome" mode="resource">
    <xsl:variable name="mended" select="f:issue/f:details/f:coding[f:system/@value = 'urn:svc:mended']/f:code/@value"/>
    <xsl:for-each select="$mended[. = 'mended_western' or . = 'more_pages']"><LeftOut model="Bundle" reason="{.}"/></xsl:for-each>
    <xsl:for-each select="f:issue[f:severity[@value = 'fatal' or @value = 'error' or @value = 'warning']]"><LeftOut model="OperationOutcome" reason="sender_warning"/></xsl:for-each>
  </xsl:template>

  <!-- A resource without a model is left out under its own name. -->
  <xsl:template match="*" mode="resource">
    <xsl:if test="not($tables/support[@name = local-name(current())])"><LeftOut model="{local-name()}" reason="not_supported"/></xsl:if>
  </xsl:template>

  <!-- The words of a name, each with a space behind it. What only says that somebody is a patient is no name. -->
  <xsl:template name="words-of-name">
    <xsl:param name="name"/>
    <xsl:for-each select="str:tokenize(translate($name, concat($capitals, $marked), concat($smalls, $unmarked)), ' ,;.:()-/’&quot;')"><xsl:if test=". != 'patient' and . != 'mr' and . != 'mrs' and . != 'ms' and . != 'dr'"><xsl:value-of select="concat(., ' ')"/></xsl:if></xsl:for-each>
  </xsl:template>

  <!-- Whether a subject that has no more than a name is another one than the person: no word in common, or a newborn
       child with the name of its mother. -->
  <xsl:template name="other-name">
    <xsl:param name="name"/>
    <xsl:variable name="theirs"><xsl:call-template name="words-of-name"><xsl:with-param name="name" select="$name"/></xsl:call-template></xsl:variable>
    <xsl:variable name="all" select="str:tokenize($theirs, ' ')"/>
    <!-- Names in different scripts cannot be compared. -->
    <xsl:variable name="is-latin" select="translate($theirs, $smalls, '') != $theirs"/>
    <xsl:if test="$all and normalize-space($own-name-words) != ''">
      <xsl:if test="not($all[contains($own-name-words, concat(' ', ., ' '))]) and $is-latin = (translate($own-name-words, $smalls, '') != $own-name-words) or $all[contains(' baby babyboy babygirl newborn infant neugeborenes ', concat(' ', ., ' '))][not(contains($own-name-words, concat(' ', ., ' ')))]">yes</xsl:if>
    </xsl:if>
  </xsl:template>

  <!-- Why a resource is no fact, whatever it is about; empty when nothing speaks against it. -->
  <xsl:template match="*" mode="why">
    <xsl:variable name="status" select="(f:status | f:lifecycleStatus)/@value"/>
    <xsl:variable name="certainty" select="f:verificationStatus/f:coding/f:code/@value"/>
    <xsl:variable name="named" select="(f:subject | f:patient | f:beneficiary)[1]/f:reference/@value"/>
    <xsl:variable name="whom" select="substring-before(concat($named, '/_history/'), '/_history/')"/>
    <xsl:variable name="known" select="(key('resource', $whom))[1][self::f:Patient]"/>
    <xsl:variable name="other-name"><xsl:for-each select="(f:subject | f:patient | f:beneficiary)[1][not(f:reference) or not($known or starts-with($named, '#'))]/f:display/@value[normalize-space()]"><xsl:call-template name="other-name"><xsl:with-param name="name" select="."/></xsl:call-template></xsl:for-each></xsl:variable>
    <xsl:variable name="stranger">
      <xsl:if test="starts-with($named, '#') and $person">
        <!-- A Patient inside of it is the person, unless its name or day of birth says otherwise. -->
        <xsl:variable name="inside" select="f:contained/f:Patient[concat('#', f:id/@value) = $named]"/>
        <xsl:variable name="surname" select="translate($inside/f:name/f:family/@value, $capitals, $smalls)"/>
        <xsl:variable name="same"><xsl:for-each select="$person/f:name/f:family"><xsl:if test="translate(@value, $capitals, $smalls) = $surname">y</xsl:if></xsl:for-each></xsl:variable>
        <xsl:variable name="first-name" select="translate($inside/f:name/f:given[1]/@value, $capitals, $smalls)"/>
        <xsl:variable name="same-first"><xsl:for-each select="$person/f:name/f:given[1]"><xsl:if test="translate(@value, $capitals, $smalls) = $first-name">y</xsl:if></xsl:for-each></xsl:variable>
        <xsl:if test="($inside/f:birthDate/@value != $person/f:birthDate/@value) or ($surname != '' and $person/f:name/f:family and $same = '' and not($inside/f:birthDate/@value = $person/f:birthDate/@value)) or ($first-name != '' and $person/f:name/f:given and $same-first = '' and not($inside/f:birthDate/@value = $person/f:birthDate/@value))">other_person</xsl:if>
      </xsl:if>
    </xsl:variable>
    <!-- How a medicine was stopped is read. -->
    <xsl:variable name="of-stop"><xsl:call-template name="stopped-how"/></xsl:variable>
    <xsl:choose>
      <!-- An extension that may change the meaning of everything else. -->
      <!-- Where it stands in a part that is a statement of its own, it is that part alone. -->
      <xsl:when test="f:modifierExtension[$of-stop = '' or generate-id() != generate-id(key('stop', generate-id(..))[1])] or ../../f:modifierExtension
                      or f:*[f:modifierExtension][not(self::f:component or self::f:reaction or self::f:condition or self::f:activity or self::f:target or self::f:protocolApplied or self::f:dosage or self::f:dosageInstruction)]">modifier_extension</xsl:when>
      <xsl:when test="$status = 'entered-in-error' or $certainty = 'entered-in-error'">entered_in_error</xsl:when>
      <xsl:when test="$stranger != '' or $other-name != ''">other_person</xsl:when>
      <xsl:when test="starts-with($named, 'Group/') or starts-with($named, 'Device/') or starts-with($named, 'RelatedPerson/') or starts-with($named, 'Location/')">other_person</xsl:when>
      <xsl:when test="$known and $person and not($known/f:id/@value = $person/f:id/@value) and generate-id($known) != generate-id($person)">other_person</xsl:when>
      <xsl:when test="$leads and not($known) and contains(concat('/', $whom), '/Patient/') and not(contains($whom, '?')) and not($patients/f:id/@value = substring-after(concat('/', $whom), '/Patient/'))">other_person</xsl:when>
      <!-- "Patient/1" and "https://h.example/fhir/Patient/1" mean the same patient. -->
      <xsl:when test="not($with-patients) and $named and $whom != $first-whom
                      and substring(concat('/', $whom), string-length($whom) - string-length($first-whom) + 1) != concat('/', $first-whom)
                      and substring(concat('/', $first-whom), string-length($first-whom) - string-length($whom) + 1) != concat('/', $whom)">other_person</xsl:when>
      <!-- What was seen on a child before birth, a donor, or another person. -->
      <xsl:when test="self::f:Observation/f:focus[not(f:reference/@value = $named)][not(contains('|Device|Condition|Procedure|Specimen|BodyStructure|Encounter|MedicationRequest|MedicationStatement|MedicationAdministration|Medication|Immunization|ServiceRequest|Location|Organization|DiagnosticReport|ImagingStudy|Media|Substance|CarePlan|Goal|Observation|', concat('|', f:type/@value, substring-before(f:reference/@value, '/'), '|')))]">
        <xsl:variable name="focus"><xsl:for-each select="f:focus"><xsl:value-of select="local-name((key('resource', string(f:reference/@value)))[1])"/>|</xsl:for-each></xsl:variable>
        <xsl:if test="contains($focus, 'Patient|') or contains($focus, 'RelatedPerson|') or contains($focus, 'Group|') or starts-with($focus, '|') or contains($focus, '||')">other_person</xsl:if>
      </xsl:when>
      <xsl:when test="f:doNotPerform/@value = 'true'">negated</xsl:when>
      <!-- What its sender deletes. -->
      <xsl:when test="../../f:request/f:method/@value = 'DELETE' or (not($history) and key('deleted', concat(local-name(), '/', f:id/@value)))">entered_in_error</xsl:when>
      <xsl:when test="$older != '' and contains($older, concat('|', generate-id(), '|'))">older_version</xsl:when>
      <!-- A history has every version of a resource, the newest first, where they say no more of it. -->
      <xsl:when test="$history and not($older != '' and key('resource', string(../../f:fullUrl/@value))[contains($older, concat('|', generate-id(), '|'))]) and ../../f:fullUrl and generate-id((key('resource', string(../../f:fullUrl/@value)))[1]) != generate-id()">repeated</xsl:when>
      <!-- The newest entry about it says that its sender deleted it. -->
      <xsl:when test="$history and (key('deleted', string(../../f:fullUrl/@value)) | key('deleted', concat(local-name(), '/', f:id/@value)))[count(following-sibling::f:entry) &gt; count(current()/../../following-sibling::f:entry)]">entered_in_error</xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ problems -->

  <xsl:template match="f:Condition" mode="resource">
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="concept" select="f:code"/><xsl:with-param name="prefer" select="$snomed-uri"/></xsl:call-template></xsl:variable>
    <xsl:variable name="name" select="exsl:node-set($named)/Field"/>
    <xsl:variable name="onset"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:onsetDateTime/@value | f:onsetPeriod/f:start/@value)[1]"/></xsl:call-template></xsl:variable>
    <!-- Without a time of onset, the day on which the condition was recorded. -->
    <xsl:variable name="recorded"><xsl:call-template name="time"><xsl:with-param name="value" select="f:recordedDate/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="start" select="concat($onset, substring($recorded, 1, string-length($recorded) * ($onset = '')))"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="list-title"><xsl:call-template name="title-of-list"/></xsl:variable>
    <xsl:variable name="list-codes"><xsl:call-template name="title-of-list"><xsl:with-param name="as-code" select="true()"/></xsl:call-template></xsl:variable>
    <xsl:variable name="of-family"><xsl:call-template name="of-family"><xsl:with-param name="name" select="$name[@name = 'name_title']"/></xsl:call-template><xsl:call-template name="family-title"><xsl:with-param name="title" select="$list-title"/></xsl:call-template><xsl:if test="contains($list-codes, '|10157-6|')">yes</xsl:if></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="not($name)">no_code</xsl:when>
        <xsl:otherwise>
          <xsl:variable name="absence"><xsl:call-template name="absence"><xsl:with-param name="name" select="$name"/><xsl:with-param name="model" select="'Problem'"/></xsl:call-template></xsl:variable>
          <xsl:value-of select="$absence"/>
          <xsl:variable name="mistake"><xsl:if test="$absence = ''"><xsl:call-template name="not-counted"><xsl:with-param name="names" select="f:code/f:text/@value | f:code/f:coding/f:display/@value"/><xsl:with-param name="remarks" select="f:note/f:text/@value"/></xsl:call-template></xsl:if></xsl:variable>
          <xsl:value-of select="$mistake"/>
          <xsl:if test="$absence = '' and $mistake = ''"><xsl:call-template name="denied-beside"><xsl:with-param name="text" select="f:code[f:coding]/f:text/@value"/><xsl:with-param name="title" select="$name[@name = 'name_title']"/><xsl:with-param name="model" select="'Problem'"/></xsl:call-template></xsl:if>
        </xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <!-- "No known problems" that is true and goes on. -->
    <xsl:variable name="none">
      <xsl:if test="$general = '' and $why = 'negated' and not(f:*[starts-with(local-name(), 'abatement')] or (f:clinicalStatus | f:verificationStatus)/f:coding/f:code[@value != 'active' and @value != 'confirmed'])">
        <xsl:variable name="remarks"><xsl:call-template name="notes"/></xsl:variable>
        <xsl:call-template name="none-known"><xsl:with-param name="name" select="$name"/><xsl:with-param name="model" select="'Problem'"/><xsl:with-param name="beside" select="$remarks"/></xsl:call-template>
      </xsl:if>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="exsl:node-set($none)/Model"><xsl:copy-of select="$none"/></xsl:when>
      <xsl:when test="$why != ''">
        <LeftOut model="Problem" reason="{$why}"/>
        <xsl:call-template name="taken-back"><xsl:with-param name="why" select="$why"/><xsl:with-param name="model" select="'Problem'"/><xsl:with-param name="name" select="$name[@name = 'name_title']"/></xsl:call-template>
      </xsl:when>
      <xsl:when test="$of-family != ''">
        <Model name="FamilyHistory">
          <xsl:call-template name="identity"/>
          <xsl:call-template name="family-problem"><xsl:with-param name="name" select="$name"/></xsl:call-template>
          <Field name="onset"><xsl:call-template name="when-words"><xsl:with-param name="of" select="f:onsetDateTime | f:onsetPeriod | f:onsetAge | f:onsetRange | f:onsetString"/></xsl:call-template></Field>
          <Field name="date"><xsl:value-of select="$recorded"/></Field>
          <Field name="notes">
            <xsl:call-template name="no-illness"><xsl:with-param name="name" select="$name"/></xsl:call-template>
            <xsl:call-template name="notes"/>
            <xsl:variable name="end"><xsl:call-template name="when-words"><xsl:with-param name="of" select="f:abatementDateTime | f:abatementPeriod"/></xsl:call-template></xsl:variable>
            <xsl:if test="$end != ''"><xsl:value-of select="concat(' Ended: ', $end, '.')"/></xsl:if>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Status'"/><xsl:with-param name="concepts" select="f:clinicalStatus | f:verificationStatus"/></xsl:call-template>
            <xsl:call-template name="problem-details"><xsl:with-param name="title" select="string($name[@name = 'name_title'])"/></xsl:call-template>
          </Field>
        </Model>
      </xsl:when>
      <xsl:otherwise>
        <Model name="Problem">
          <xsl:variable name="bygone"><xsl:call-template name="bygone-by-words"><xsl:with-param name="names" select="$name[@name = 'name_title'] | f:code/f:text/@value | f:code/f:coding/f:display/@value"/></xsl:call-template></xsl:variable>
          <!-- Words that say "over" or "once", of the name or of the title of the list, count more than a status that says
               active. -->
          <xsl:variable name="active" select="f:clinicalStatus[f:coding/f:code/@value = 'active' or not(f:coding/f:code) and translate(f:text/@value, 'A', 'a') = 'active']"/>
          <xsl:variable name="no-state" select="$active or not(f:clinicalStatus)"/>
          <xsl:variable name="past"><xsl:if test="$no-state"><xsl:call-template name="past-list"><xsl:with-param name="title" select="$list-title"/></xsl:call-template></xsl:if></xsl:variable>
          <xsl:variable name="once"><xsl:if test="$no-state"><xsl:call-template name="history-list"><xsl:with-param name="title" select="$list-title"/></xsl:call-template></xsl:if></xsl:variable>
          <xsl:variable name="resolved"><xsl:if test="$no-state"><xsl:call-template name="resolved-by-name"><xsl:with-param name="name" select="(f:code/f:text/@value | $name[@name = 'name_title'][not(current()/f:code/f:text)])[1]"/></xsl:call-template><xsl:if test="count(f:note) = 1"><xsl:call-template name="resolved-by-name"><xsl:with-param name="name" select="f:note/f:text/@value"/><xsl:with-param name="alone" select="true()"/></xsl:call-template></xsl:if></xsl:if></xsl:variable>
          <xsl:variable name="dated"><xsl:call-template name="dated-by-name"><xsl:with-param name="names" select="$name[@name = 'name_title' or @name = 'name_identifier'] | f:code/f:text/@value"/></xsl:call-template></xsl:variable>
          <xsl:variable name="as-active" select="$active and ($bygone != '' or $dated = 'event' or $past != '' or $once != '' or $resolved != '' or contains($list-codes, '|11348-0|'))"/>
          <xsl:call-template name="identity"/>
          <xsl:call-template name="named-bygone"><xsl:with-param name="name" select="$name"/><xsl:with-param name="bygone" select="$bygone"/></xsl:call-template>
          <Field name="startDate"><xsl:value-of select="$start"/></Field>
          <Field name="endDate"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:abatementDateTime/@value | f:abatementPeriod/f:end/@value)[1]"/></xsl:call-template></Field>
          <xsl:variable name="unsure"><xsl:call-template name="unsure-by-words"/></xsl:variable>
          <xsl:call-template name="states"><xsl:with-param name="unsure" select="$unsure"/><xsl:with-param name="as-active" select="$as-active"/></xsl:call-template>
          <xsl:copy-of select="exsl:node-set($resolved)/Field[1]"/>
          <xsl:if test="$past != '' and $resolved = ''"><Field name="clinicalStatus_title">Inactive</Field></xsl:if>
          <!-- An end without a date is an end. -->
          <xsl:if test="(f:abatementString | f:abatementAge | f:abatementRange) and $past = '' and $resolved = '' and not(f:clinicalStatus/f:coding/f:code or f:clinicalStatus/f:text)"><Field name="clinicalStatus_title">Inactive</Field></xsl:if>
          <Field name="notes">
            <xsl:call-template name="notes"/>
            <xsl:if test="$as-active"> The sender’s entry has the status active.</xsl:if>
            <xsl:value-of select="concat($past, $once)"/>
            <xsl:call-template name="status-beside-words"><xsl:with-param name="unsure" select="$unsure"/></xsl:call-template>
            <xsl:call-template name="onset-words"/>
            <xsl:call-template name="problem-details"><xsl:with-param name="title" select="string($name[@name = 'name_title'])"/></xsl:call-template>
            <xsl:if test="$onset = '' and $start != ''"> Onset not stated; the start is when the problem was recorded.</xsl:if>
          </Field>
          <xsl:variable name="kind" select="f:category/f:coding[f:code[@value = 'problem-list-item' or @value = 'encounter-diagnosis' or @value = 'health-concern']][1]"/>
          <xsl:call-template name="listed"><xsl:with-param name="field" select="'category'"/><xsl:with-param name="code" select="string($kind/f:code/@value)"/><xsl:with-param name="system" select="string($kind/f:system/@value)"/></xsl:call-template>
          <xsl:if test="not($kind)"><xsl:call-template name="named"><xsl:with-param name="field" select="'category'"/><xsl:with-param name="concept" select="f:category[1]"/></xsl:call-template></xsl:if>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- What is said of a problem beside its name and times. -->
  <xsl:template name="problem-details">
    <xsl:param name="title"/>
    <xsl:if test="f:abatementString"><xsl:value-of select="concat(' Ended: ', f:abatementString/@value, '.')"/></xsl:if>
    <xsl:call-template name="age-words"><xsl:with-param name="what" select="'Ended'"/><xsl:with-param name="age" select="f:abatementAge"/><xsl:with-param name="range" select="f:abatementRange"/></xsl:call-template>
    <xsl:call-template name="own-words"><xsl:with-param name="concept" select="f:code"/><xsl:with-param name="title" select="$title"/></xsl:call-template>
    <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Site'"/><xsl:with-param name="concepts" select="f:bodySite"/></xsl:call-template>
    <xsl:call-template name="beside-icd"/>
    <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Stage'"/><xsl:with-param name="concepts" select="f:stage/f:summary"/></xsl:call-template>
    <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Kind of stage'"/><xsl:with-param name="concepts" select="f:stage/f:type"/></xsl:call-template>
    <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Stage by'"/><xsl:with-param name="references" select="f:stage/f:assessment[position() &lt;= 50]"/></xsl:call-template>
    <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Severity'"/><xsl:with-param name="concepts" select="f:severity"/></xsl:call-template>
    <!-- Of cancer, its kind of tissue. -->
    <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Also'"/><xsl:with-param name="concepts" select="f:extension[contains(@url, 'histology') or contains(@url, '/mcode/')]/f:valueCodeableConcept"/></xsl:call-template>
    <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Evidence'"/><xsl:with-param name="concepts" select="f:evidence/f:code"/></xsl:call-template>
    <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Evidence'"/><xsl:with-param name="references" select="f:evidence/f:detail[f:display]"/></xsl:call-template>
  </xsl:template>

  <!-- The text of a concept, where it says more than the name of its code: "Asthma, left lung only" beside "Asthma". -->
  <xsl:template name="own-words">
    <xsl:param name="concept"/>
    <xsl:param name="title"/>
    <!-- Whether the names of its other codes are told, too. -->
    <xsl:param name="others" select="true()"/>
    <xsl:variable name="text" select="normalize-space($concept/f:text/@value)"/>
    <xsl:if test="$text != '' and $text != $title">
      <xsl:variable name="marks" select="' ,;:.()[]/*!-'"/>
      <xsl:variable name="known" select="concat(' ', translate(normalize-space($title), concat($capitals, $marks), concat($smalls, '            ')), ' ')"/>
      <xsl:variable name="more"><xsl:for-each select="str:tokenize(translate($text, $capitals, $smalls), $marks)[not(contains($known, concat(' ', ., ' ')))]">+</xsl:for-each></xsl:variable>
      <xsl:if test="$more != ''"><xsl:value-of select="concat(' In the words of the source: ', $text, '.')"/></xsl:if>
    </xsl:if>
    <xsl:if test="$others and $concept/f:coding[2]">
      <xsl:call-template name="other-names">
        <xsl:with-param name="said"><xsl:for-each select="$concept/f:coding/f:display[@value != $title]"><xsl:value-of select="concat(translate(@value, '&#10;', ' '), '&#10;')"/></xsl:for-each></xsl:with-param>
        <xsl:with-param name="title" select="concat($title, ' ', $text)"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- What no column of its own keeps, with what it is: "Site: Left breast." -->
  <xsl:template name="said-of">
    <xsl:param name="label"/>
    <xsl:param name="concepts"/>
    <xsl:for-each select="$concepts">
      <xsl:variable name="said"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template></xsl:variable>
      <xsl:if test="normalize-space($said) != ''"><xsl:value-of select="concat(' ', $label, ': ', normalize-space($said), '.')"/></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- The same of what stands elsewhere: the words of the reference, else the name of that to which it points. -->
  <xsl:template name="said-by-reference">
    <xsl:param name="label"/>
    <xsl:param name="references"/>
    <xsl:for-each select="$references">
      <xsl:variable name="said"><xsl:apply-templates select="." mode="pointed"/></xsl:variable>
      <xsl:if test="normalize-space($said) != ''"><xsl:value-of select="concat(' ', $label, ': ', normalize-space($said), '.')"/></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="*" mode="pointed">
    <xsl:variable name="named" select="string(f:reference/@value)"/>
    <xsl:variable name="entry" select="ancestor::*[parent::f:resource][1]"/>
    <xsl:variable name="around" select="generate-id($entry | /*[not($entry)][not(self::f:Bundle)])"/>
    <xsl:variable name="found" select="(key('resource', substring-before(concat($named, '/_history/'), '/_history/'))[1] | key('resource', concat($around, $named))[1][not(key('resource', substring-before(concat($named, '/_history/'), '/_history/')))])"/>
    <xsl:variable name="own"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="($found/f:code | $found[not(f:code)]/f:type)[1]"/></xsl:call-template></xsl:variable>
    <xsl:choose>
      <xsl:when test="f:display/@value"><xsl:value-of select="f:display/@value"/></xsl:when>
      <xsl:when test="$found/f:name"><xsl:apply-templates select="." mode="called"/></xsl:when>
      <xsl:when test="$found/f:deviceName"><xsl:value-of select="$found/f:deviceName[1]/f:name/@value"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="$own"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- An amount with what it is: "Quantity: 30 tablet." -->
  <xsl:template match="*" mode="amount-of">
    <xsl:param name="label"/>
    <xsl:if test="f:value/@value"><xsl:value-of select="concat(' ', $label, ': ', normalize-space(concat(f:comparator/@value, f:value/@value, ' ', (f:unit | f:code[not(../f:unit)])[1]/@value)), '.')"/></xsl:if>
  </xsl:template>

  <xsl:template name="onset-words">
    <xsl:if test="f:onsetString"><xsl:value-of select="concat(' Onset: ', f:onsetString/@value, '.')"/></xsl:if>
    <xsl:call-template name="age-words"><xsl:with-param name="what" select="'Onset'"/><xsl:with-param name="age" select="f:onsetAge"/><xsl:with-param name="range" select="f:onsetRange"/></xsl:call-template>
  </xsl:template>

  <xsl:template name="age-words">
    <xsl:param name="what"/>
    <xsl:param name="age"/>
    <xsl:param name="range"/>
    <xsl:variable name="years"><xsl:call-template name="range-words"><xsl:with-param name="range" select="$range"/></xsl:call-template></xsl:variable>
    <xsl:if test="$age/f:value"><xsl:value-of select="concat(' ', $what, ' at the age of ', $age/f:comparator/@value, $age/f:value/@value, ' ')"/><xsl:apply-templates select="$age" mode="age-unit"/>.</xsl:if>
    <xsl:if test="$years != ''"><xsl:value-of select="concat(' ', $what, ' at the age of ', normalize-space($years), '.')"/></xsl:if>
  </xsl:template>

  <!-- Clinical and verification status of problems and allergies. -->
  <xsl:template name="states">
    <!-- How certain it is by its own words: Fields, or nothing. -->
    <xsl:param name="unsure"/>
    <!-- Whether it is called active, while its words say that it was so once. -->
    <xsl:param name="as-active" select="false()"/>
    <!-- German diagnoses say beside their code how sure they are: A excluded, V suspected, Z a state after, G confirmed. -->
    <xsl:variable name="sure" select="string((f:code/f:coding/f:extension[@url = $certainty-of-diagnosis]/f:valueCoding/f:code/@value)[1])"/>
    <xsl:if test="not($as-active)"><xsl:call-template name="named"><xsl:with-param name="field" select="'clinicalStatus'"/><xsl:with-param name="concept" select="f:clinicalStatus"/><xsl:with-param name="known-first" select="true()"/></xsl:call-template></xsl:if>
    <xsl:if test="$sure = 'Z' and not(f:clinicalStatus)"><Field name="clinicalStatus_title">Inactive</Field></xsl:if>
    <xsl:choose>
      <xsl:when test="$sure = 'A' or ($sure = 'V' and not(f:verificationStatus/f:coding/f:code[@value = 'refuted']))">
        <Field name="verificationStatus_identifier"><xsl:value-of select="concat(substring('refuted', 1, 7 * ($sure = 'A')), substring('provisional', 1, 11 * ($sure = 'V')))"/></Field>
        <Field name="verificationStatus_title"><xsl:value-of select="concat(substring('Refuted', 1, 7 * ($sure = 'A')), substring('Provisional', 1, 11 * ($sure = 'V')))"/></Field>
        <Field name="verificationStatus_system">http://terminology.hl7.org/CodeSystem/condition-ver-status</Field>
      </xsl:when>
      <xsl:when test="$unsure != ''"><xsl:copy-of select="$unsure"/></xsl:when>
      <xsl:otherwise><xsl:call-template name="named"><xsl:with-param name="field" select="'verificationStatus'"/><xsl:with-param name="concept" select="f:verificationStatus"/><xsl:with-param name="known-first" select="true()"/></xsl:call-template></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- How certain it is by its own words, where its status says nothing or more than these. -->
  <xsl:template name="unsure-by-words">
    <xsl:variable name="system"><xsl:if test="self::f:AllergyIntolerance">allergyintolerance-verification</xsl:if><xsl:if test="not(self::f:AllergyIntolerance)">condition-ver-status</xsl:if></xsl:variable>
    <xsl:call-template name="certainty-by-words">
      <xsl:with-param name="names" select="f:code/f:text/@value | f:code/f:coding/f:display/@value"/>
      <xsl:with-param name="status" select="string((f:verificationStatus/f:coding/f:code | f:verificationStatus[not(f:coding/f:code)]/f:text)[1]/@value)"/>
      <xsl:with-param name="system" select="concat('http://terminology.hl7.org/CodeSystem/', $system)"/>
    </xsl:call-template>
  </xsl:template>

  <!-- What a status says that counts less than the words beside it. -->
  <xsl:template name="status-beside-words">
    <xsl:param name="unsure"/>
    <xsl:if test="$unsure != '' and f:verificationStatus/f:coding/f:code/@value = 'confirmed'"> The sender’s status says: Confirmed.</xsl:if>
  </xsl:template>

  <xsl:variable name="certainty-of-diagnosis" select="'http://fhir.de/StructureDefinition/icd-10-gm-diagnosesicherheit'"/>

  <!-- What German diagnoses say beside their code, in words. -->
  <xsl:template name="beside-icd">
    <xsl:for-each select="f:code/f:coding/f:extension[@url = $certainty-of-diagnosis]/f:valueCoding/f:code[@value = 'A' or @value = 'V' or @value = 'Z']">
      <xsl:value-of select="concat(substring(' Excluded (A).', 1, 14 * (@value = 'A')), substring(' Suspected (V).', 1, 15 * (@value = 'V')), substring(' State after this (Z).', 1, 22 * (@value = 'Z')))"/>
    </xsl:for-each>
    <xsl:for-each select="f:code/f:coding/f:extension[@url = 'http://fhir.de/StructureDefinition/seitenlokalisation']/f:valueCoding">
      <xsl:value-of select="concat(' Side: ', (f:display | f:code[not(../f:display)])/@value, '.')"/>
    </xsl:for-each>
  </xsl:template>

  <!-- ============================================================ allergies -->

  <!-- The model has room for one reaction, so every manifestation makes its own fact; without one there is one fact,
       too. -->
  <xsl:template match="f:AllergyIntolerance" mode="resource">
    <xsl:variable name="concept" select="(f:code[f:coding/f:code or f:coding/f:display or f:text] | f:reaction/f:substance[not(../../f:code[f:coding/f:code or f:coding/f:display or f:text])])[1]"/>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'allergen'"/><xsl:with-param name="concept" select="$concept"/></xsl:call-template></xsl:variable>
    <xsl:variable name="allergen" select="exsl:node-set($named)/Field"/>
    <xsl:variable name="sayings"><xsl:call-template name="exclusion-sayings"><xsl:with-param name="names" select="$concept/f:text/@value | $concept/f:coding/f:display/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="said" select="exsl:node-set($sayings)/said"/>
    <xsl:variable name="coded" select="$words/exclusion[@code = $concept/f:coding/f:code/@value][1]/@to"/>
    <!-- A reaction, an exception in a note, or a text that names something deny that there is no allergy. -->
    <xsl:variable name="remarks"><xsl:call-template name="notes"/></xsl:variable>
    <xsl:variable name="own-words" select="normalize-space($concept/f:text/@value)"/>
    <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="concat($own-words, ' ', $remarks)"/></xsl:call-template></xsl:variable>
    <xsl:variable name="excepted"><xsl:call-template name="exception"><xsl:with-param name="spoken" select="$spoken"/></xsl:call-template></xsl:variable>
    <xsl:variable name="names-one"><xsl:if test="$coded and $own-words != '' and not($said[. != '']/@words = $own-words)"><xsl:call-template name="names-something"><xsl:with-param name="spoken" select="$spoken"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:variable name="nothing-there"><xsl:call-template name="exclusion"><xsl:with-param name="coded" select="$coded"/><xsl:with-param name="sayings" select="$said"/></xsl:call-template></xsl:variable>
    <xsl:variable name="reactions">
      <xsl:for-each select="f:reaction[f:manifestation][not(f:modifierExtension)]">
        <xsl:variable name="label" select="substring(normalize-space(f:description/@value), 1, 300)"/>
        <xsl:variable name="severity"><xsl:call-template name="listed"><xsl:with-param name="field" select="'severity'"/><xsl:with-param name="code" select="string(f:severity/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/reaction-event-severity'"/></xsl:call-template></xsl:variable>
        <xsl:for-each select="f:manifestation">
          <xsl:variable name="sign"><xsl:call-template name="named"><xsl:with-param name="field" select="'allergic_reaction'"/><xsl:with-param name="concept" select="."/><xsl:with-param name="prefer" select="$snomed-uri"/><xsl:with-param name="label" select="$label"/></xsl:call-template></xsl:variable>
          <xsl:variable name="none"><xsl:call-template name="no-reaction"><xsl:with-param name="name" select="exsl:node-set($sign)/Field"/></xsl:call-template></xsl:variable>
          <xsl:if test="$none != ''"><None><xsl:value-of select="$none"/></None></xsl:if>
          <xsl:if test="$none = '' or (exsl:node-set($severity)/Field and not(../f:manifestation[2]))"><Reaction><xsl:copy-of select="exsl:node-set($sign)/Field[$none = ''] | exsl:node-set($severity)/Field"/></Reaction></xsl:if>
        </xsl:for-each>
      </xsl:for-each>
    </xsl:variable>
    <xsl:variable name="denied" select="$nothing-there != '' and (exsl:node-set($reactions)/Reaction/Field[@name = 'allergic_reaction_title'] or f:reaction[f:substance or f:modifierExtension] or $excepted != '' or $names-one != '')"/>
    <xsl:variable name="exclusion" select="concat(substring('there', 1, 5 * $denied), substring($nothing-there, 1, 99 * not($denied)))"/>
    <xsl:variable name="called">
      <xsl:choose>
        <xsl:when test="$said = 'there'"><xsl:value-of select="$said[. = 'there'][1]/@words"/></xsl:when>
        <xsl:when test="$names-one != ''"><xsl:value-of select="$own-words"/></xsl:when>
        <xsl:when test="f:reaction/f:substance"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:reaction[f:substance][1]/f:substance"/></xsl:call-template></xsl:when>
        <xsl:otherwise><xsl:value-of select="concat($allergen[@name = 'allergen_title'], substring(': ', 1, 2 * ($remarks != '')), $remarks)"/></xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="absence"><xsl:call-template name="absence"><xsl:with-param name="name" select="$allergen"/><xsl:with-param name="model" select="'Allergy'"/></xsl:call-template></xsl:variable>
    <xsl:variable name="list-title"><xsl:call-template name="title-of-list"/></xsl:variable>
    <xsl:variable name="of-family"><xsl:call-template name="of-family"><xsl:with-param name="name" select="($concept/f:text/@value | $allergen[@name = 'allergen_title'][not($concept/f:text)])[1]"/><xsl:with-param name="anywhere" select="true()"/></xsl:call-template><xsl:call-template name="family-title"><xsl:with-param name="title" select="$list-title"/></xsl:call-template></xsl:variable>
    <xsl:variable name="states" select="f:clinicalStatus/f:coding/f:code/@value | f:verificationStatus/f:coding/f:code/@value"/>
    <xsl:choose>
      <xsl:when test="$general != ''">
        <LeftOut model="Allergy" reason="{$general}"/>
        <xsl:call-template name="taken-back"><xsl:with-param name="why" select="$general"/><xsl:with-param name="model" select="'Allergy'"/><xsl:with-param name="name" select="$allergen[@name = 'allergen_title']"/></xsl:call-template>
      </xsl:when>
      <xsl:when test="not($allergen)"><LeftOut model="Allergy" reason="no_code"/></xsl:when>
      <xsl:when test="$absence = 'no_information'"><LeftOut model="Allergy" reason="no_information"/></xsl:when>
      <xsl:when test="$of-family != ''"><LeftOut model="Allergy" reason="other_person"/></xsl:when>
      <!-- An exclusion that is not true, or no longer true, is no exclusion. -->
      <xsl:when test="$exclusion != '' and $exclusion != 'there' and ($states = 'refuted' or $states = 'inactive' or $states = 'resolved')"><LeftOut model="AllergyExclusion" reason="negated"/></xsl:when>
      <xsl:when test="$exclusion != '' and $exclusion != 'there'">
        <Model name="AllergyExclusion">
          <xsl:call-template name="identity"/>
          <xsl:call-template name="listed">
            <xsl:with-param name="field" select="'name'"/>
            <xsl:with-param name="code" select="substring($exclusion, 1, 99 * ($exclusion != 'said'))"/>
            <xsl:with-param name="system" select="$snomed-uri"/>
            <xsl:with-param name="title" select="($said[. != ''][$exclusion = 'said'][1]/@words | $allergen[@name = 'allergen_title'][$exclusion != 'said'])"/>
          </xsl:call-template>
        </Model>
      </xsl:when>
      <xsl:when test="$absence != '' and $exclusion != 'there'"><LeftOut model="Allergy" reason="{$absence}"/></xsl:when>
      <xsl:otherwise>
        <!-- Words that say that it is not there, or no longer, count more than a status that says active or confirmed. -->
        <xsl:variable name="removed"><xsl:call-template name="says-unallergic"><xsl:with-param name="names" select="$concept/f:text/@value | $concept/f:coding/f:display/@value"/><xsl:with-param name="remarks" select="f:note/f:text/@value"/></xsl:call-template></xsl:variable>
        <xsl:variable name="active" select="f:clinicalStatus[f:coding/f:code/@value = 'active' or not(f:coding/f:code) and translate(f:text/@value, 'A', 'a') = 'active']"/>
        <xsl:variable name="no-state" select="$active or not(f:clinicalStatus)"/>
        <xsl:variable name="past"><xsl:if test="$no-state"><xsl:call-template name="past-list"><xsl:with-param name="title" select="$list-title"/></xsl:call-template></xsl:if></xsl:variable>
        <xsl:variable name="over"><xsl:if test="$no-state"><xsl:call-template name="resolved-by-name"><xsl:with-param name="name" select="($concept/f:text/@value | $allergen[@name = 'allergen_title'][not($concept/f:text)])[1]"/></xsl:call-template></xsl:if></xsl:variable>
        <xsl:variable name="as-active" select="$active and ($removed != '' or $past != '' or $over != '')"/>
        <xsl:variable name="unsure">
          <xsl:if test="$removed = 'refuted'"><xsl:call-template name="refuted-allergy"/></xsl:if>
          <xsl:if test="$removed != 'refuted'"><xsl:call-template name="unsure-by-words"/></xsl:if>
        </xsl:variable>
        <xsl:variable name="common">
          <!-- An allergy beside "no known allergies" is read in the sender's words; the code would deny it. -->
          <xsl:variable name="stated" select="$concept[$exclusion != 'there']"/>
          <xsl:call-template name="allergy-kind"/>
          <xsl:copy-of select="$allergen[$exclusion != 'there']"/>
          <xsl:if test="$exclusion = 'there'"><Field name="allergen_title"><xsl:value-of select="$called"/></Field></xsl:if>
          <xsl:call-template name="allergen-in"><xsl:with-param name="field" select="'drug_allergen'"/><xsl:with-param name="concept" select="$stated"/><xsl:with-param name="system" select="$rxnorm-uri"/></xsl:call-template>
          <xsl:call-template name="allergen-in"><xsl:with-param name="field" select="'drug_class_allergen'"/><xsl:with-param name="concept" select="$stated"/><xsl:with-param name="system" select="$ndfrt-uri"/></xsl:call-template>
          <xsl:call-template name="allergen-in"><xsl:with-param name="field" select="'food_allergen'"/><xsl:with-param name="concept" select="$stated[current()/f:category/@value = 'food']"/><xsl:with-param name="system" select="$unii-uri"/></xsl:call-template>
          <xsl:call-template name="listed"><xsl:with-param name="field" select="'criticality'"/><xsl:with-param name="code" select="string(f:criticality/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/allergy-intolerance-criticality'"/></xsl:call-template>
          <xsl:call-template name="states"><xsl:with-param name="unsure" select="$unsure"/><xsl:with-param name="as-active" select="$as-active"/></xsl:call-template>
          <xsl:if test="$no-state and $removed != 'refuted' and ($removed = 'resolved' or $over != '')"><Field name="clinicalStatus_title">Resolved</Field></xsl:if>
          <xsl:if test="$past != '' and $removed = '' and $over = ''"><Field name="clinicalStatus_title">Inactive</Field></xsl:if>
          <Field name="onset"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:onsetDateTime/@value | f:onsetPeriod/f:start/@value)[1]"/></xsl:call-template></Field>
        </xsl:variable>
        <xsl:variable name="words-of-all"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:code"/></xsl:call-template></xsl:variable>
        <!-- The sender's words are only in the first fact if many facts would make them very long. -->
        <xsl:variable name="notes"><Field name="notes"><xsl:value-of select="$remarks"/><xsl:if test="$as-active"> The sender’s entry has the status active.</xsl:if><xsl:value-of select="$past"/><xsl:call-template name="status-beside-words"><xsl:with-param name="unsure" select="$unsure"/></xsl:call-template><xsl:if test="$exclusion != 'there'"><xsl:call-template name="own-words"><xsl:with-param name="concept" select="$concept"/><xsl:with-param name="title" select="string($allergen[@name = 'allergen_title'])"/></xsl:call-template></xsl:if><xsl:call-template name="onset-words"/><xsl:for-each select="f:category[position() > 1]"><xsl:value-of select="concat(' Also of the kind: ', @value, '.')"/></xsl:for-each><xsl:for-each select="exsl:node-set($reactions)/None[not(. = preceding-sibling::None)]"><xsl:value-of select="."/></xsl:for-each><xsl:apply-templates select="f:lastOccurrence | f:reaction[not(f:modifierExtension)]" mode="told"><xsl:with-param name="whole" select="$words-of-all"/></xsl:apply-templates></Field></xsl:variable>
        <xsl:variable name="often" select="string-length($notes) * count(f:reaction/f:manifestation) &lt;= 200000"/>
        <!-- Each is computed once, because a step from a reaction to its siblings walks through all of them. -->
        <xsl:variable name="whose"><Of><xsl:call-template name="identity"/></Of></xsl:variable>
        <xsl:variable name="id" select="exsl:node-set($whose)/Of/@*"/>
        <xsl:for-each select="f:reaction[f:modifierExtension]"><LeftOut model="Allergy" reason="modifier_extension"/></xsl:for-each>
        <xsl:for-each select="exsl:node-set($reactions)/Reaction">
          <Model name="Allergy">
            <xsl:copy-of select="$id"/>
            <xsl:copy-of select="$common"/>
            <xsl:if test="$often or position() = 1"><xsl:copy-of select="$notes"/></xsl:if>
            <xsl:copy-of select="Field"/>
          </Model>
        </xsl:for-each>
        <xsl:if test="not(exsl:node-set($reactions)/Reaction)">
          <Model name="Allergy"><xsl:copy-of select="$id"/><xsl:copy-of select="$common"/><xsl:copy-of select="$notes"/></Model>
        </xsl:if>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- What is said of a reaction beside its signs and how grave it was. -->
  <xsl:template match="f:lastOccurrence" mode="told">
    <xsl:variable name="when"><xsl:call-template name="time"><xsl:with-param name="value" select="@value"/></xsl:call-template></xsl:variable>
    <xsl:if test="$when != ''"><xsl:value-of select="concat(' Last time: ', substring($when, 1, 10), '.')"/></xsl:if>
  </xsl:template>
  <xsl:template match="f:reaction" mode="told">
    <xsl:param name="whole"/>
    <xsl:variable name="when"><xsl:call-template name="time"><xsl:with-param name="value" select="f:onset/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="said" select="normalize-space(f:description/@value)"/>
    <xsl:if test="$said != '' and not(f:manifestation[not(f:text or f:coding/f:display)]) and not(f:manifestation/f:text/@value = $said)"><xsl:value-of select="concat(' Reaction: ', $said, '.')"/></xsl:if>
    <!-- "Mild rash only" beside the code of a rash. -->
    <xsl:for-each select="f:manifestation[f:coding/f:display]">
      <xsl:variable name="more"><xsl:call-template name="own-words"><xsl:with-param name="concept" select="."/><xsl:with-param name="title" select="string(f:coding[f:display][1]/f:display/@value)"/><xsl:with-param name="others" select="false()"/></xsl:call-template></xsl:variable>
      <xsl:if test="$more != '' and not(f:text/@value = $said)"><xsl:value-of select="concat(' Reaction: ', normalize-space(f:text/@value), '.')"/></xsl:if>
    </xsl:for-each>
    <xsl:if test="$when != ''"><xsl:value-of select="concat(' Reaction on ', substring($when, 1, 10), '.')"/></xsl:if>
    <xsl:variable name="to"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:substance"/></xsl:call-template></xsl:variable>
    <xsl:if test="$to != $whole"><xsl:call-template name="said-of"><xsl:with-param name="label" select="'Reaction to'"/><xsl:with-param name="concepts" select="f:substance"/></xsl:call-template></xsl:if>
    <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Exposure'"/><xsl:with-param name="concepts" select="f:exposureRoute"/></xsl:call-template>
    <xsl:for-each select="f:note/f:text[normalize-space(@value)]"><xsl:value-of select="concat(' ', @value)"/></xsl:for-each>
  </xsl:template>

  <!-- The category as the document has it. Its title also says whether it is an allergy or an intolerance. -->
  <xsl:template name="allergy-kind">
    <xsl:variable name="category" select="string(f:category[1]/@value)"/>
    <xsl:variable name="type" select="string(f:type/@value)"/>
    <xsl:choose>
      <xsl:when test="$category != ''">
        <Field name="category_identifier"><xsl:value-of select="$category"/></Field>
        <Field name="category_title"><xsl:value-of select="concat($tables/kind[@code = $category]/@title, ' ', $type, substring('allergy or intolerance', 1, 99 * ($type = '')))"/></Field>
        <Field name="category_system">http://hl7.org/fhir/allergy-intolerance-category</Field>
      </xsl:when>
      <xsl:when test="$type != ''">
        <Field name="category_identifier"><xsl:value-of select="$type"/></Field>
        <Field name="category_title"><xsl:value-of select="concat(translate(substring($type, 1, 1), 'ai', 'AI'), substring($type, 2))"/></Field>
        <Field name="category_system">http://hl7.org/fhir/allergy-intolerance-type</Field>
      </xsl:when>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="allergen-in">
    <xsl:param name="field"/>
    <xsl:param name="concept"/>
    <xsl:param name="system"/>
    <xsl:if test="$concept/f:coding[f:code/@value != ''][substring-before(substring-after($systems, concat('|', f:system/@value, '=')), '|') = $system]">
      <xsl:call-template name="named"><xsl:with-param name="field" select="$field"/><xsl:with-param name="concept" select="$concept"/><xsl:with-param name="prefer" select="$system"/></xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- ============================================================ medications -->

  <xsl:template match="f:MedicationRequest" mode="resource">
    <xsl:variable name="intent" select="f:intent/@value"/>
    <xsl:variable name="reported"><xsl:call-template name="by-patient"><xsl:with-param name="source" select="f:reportedReference/f:reference/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="by-patient" select="f:reportedBoolean/@value = 'true' or $reported = 'yes'"/>
    <xsl:variable name="relative" select="concat('MedicationRequest/', f:id/@value)"/>
    <xsl:call-template name="medication">
      <xsl:with-param name="why"><xsl:if test="$intent = 'proposal' or $intent = 'option'">planned</xsl:if></xsl:with-param>
      <xsl:with-param name="start"><xsl:call-template name="outermost"><xsl:with-param name="times" select="f:dosageInstruction/f:timing/f:repeat/f:boundsPeriod/f:start/@value"/><xsl:with-param name="order" select="'ascending'"/></xsl:call-template></xsl:with-param>
      <xsl:with-param name="start-else" select="f:authoredOn/@value"/>
      <!-- A dosage without an end goes on when the others are over. -->
      <xsl:with-param name="end">
        <xsl:if test="not(f:dosageInstruction[not(f:timing/f:repeat/f:boundsPeriod/f:end/@value)])"><xsl:call-template name="outermost"><xsl:with-param name="times" select="f:dosageInstruction/f:timing/f:repeat/f:boundsPeriod/f:end/@value"/><xsl:with-param name="order" select="'descending'"/></xsl:call-template></xsl:if>
      </xsl:with-param>
      <xsl:with-param name="dosage" select="f:dosageInstruction"/>
      <xsl:with-param name="provenance" select="concat(substring('patientReport', 1, 13 * $by-patient), substring('prescription', 1, 12 * not($by-patient)))"/>
      <xsl:with-param name="states" select="'http://hl7.org/fhir/CodeSystem/medicationrequest-status'"/>
      <!-- The first one of several requests with the same id gets the dispenses. No reference contains a space. -->
      <xsl:with-param name="fills" select="key('dispense-of', ../../f:fullUrl/@value[generate-id((key('resource', .))[1]) = generate-id(current())])
                                           | key('dispense-of', concat(substring(' ', 1 + (generate-id((key('resource', $relative))[1]) = generate-id())), $relative))"/>
    </xsl:call-template>
  </xsl:template>

  <!-- Dutch and Australian senders say in an extension that a medicine was stopped, also beside a status that says the
       contrary: the code of FHIR for it, where its code or words are known. -->
  <xsl:template name="stopped-how">
    <xsl:variable name="how" select="key('stop', generate-id())[1]/f:valueCodeableConcept"/>
    <xsl:variable name="words-of-it" select="translate(concat($how/f:coding[1]/f:display/@value, ' ', $how/f:text/@value), $capitals, $smalls)"/>
    <xsl:variable name="code" select="$how/f:coding/f:code/@value"/>
    <xsl:choose>
      <xsl:when test="not($how)"/>
      <xsl:when test="$code = '113381000146106' or $code = '385655000' or contains($words-of-it, 'tijdelijk') or contains($words-of-it, 'onderbr') or contains($words-of-it, 'temporar') or contains($words-of-it, 'suspended')">on-hold</xsl:when>
      <xsl:when test="$code = '113371000146109' or $code = '410546004' or contains($words-of-it, 'definitief') or contains($words-of-it, 'stopgezet') or contains($words-of-it, 'definitive') or contains($words-of-it, 'ceased') or contains($words-of-it, 'withdrawn')">stopped</xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- The first or the last one of several times. -->
  <xsl:template name="outermost">
    <xsl:param name="times"/>
    <xsl:param name="order"/>
    <xsl:for-each select="$times"><xsl:sort select="." order="{$order}"/><xsl:if test="position() = 1"><xsl:value-of select="."/></xsl:if></xsl:for-each>
  </xsl:template>

  <!-- The title of the list or the section that names a resource, or the words of its code, if only one does; with
       `as-code`, its codes of LOINC instead, each between bars. -->
  <xsl:template name="title-of-list">
    <xsl:param name="as-code" select="false()"/>
    <xsl:variable name="by-address" select="key('listed-in', string(../../f:fullUrl/@value))"/>
    <xsl:variable name="by-id" select="key('listed-in', concat(local-name(), '/', f:id/@value))[f:id or current()/f:id]"/>
    <xsl:variable name="list" select="($by-address | $by-id)[count($by-address | $by-id) = 1]/.."/>
    <xsl:if test="$as-code"><xsl:for-each select="$list/f:code/f:coding/f:code"><xsl:value-of select="concat('|', @value, '|')"/></xsl:for-each></xsl:if>
    <xsl:if test="not($as-code)"><xsl:value-of select="($list/f:title | $list[not(f:title)]/f:code/f:text | $list[not(f:title or f:code/f:text)]/f:code/f:coding/f:display)[1]/@value"/></xsl:if>
  </xsl:template>

  <!-- The prescription, request or plan in this Bundle that replaces this one, in words: " Replaced by: Metformin 1000 mg."
       One that is not an order or a plan, was never valid, or is replaced by this one, replaces nothing. -->
  <xsl:template name="replaced-by">
    <xsl:variable name="own-id" select="concat(local-name(), '/', f:id/@value)"/>
    <xsl:variable name="own" select="(f:priorPrescription | f:replaces)/f:reference/@value"/>
    <xsl:variable name="kind" select="local-name()"/>
    <xsl:variable name="newer">
      <xsl:for-each select="key('replacing', string(../../f:fullUrl/@value)) | key('replacing', $own-id)[not(key('resource', $own-id)[2])]">
        <xsl:for-each select="parent::*[local-name() = $kind][f:status[@value = 'active' or @value = 'completed' or @value = 'stopped' or @value = 'revoked' or @value = 'on-hold']][not(f:intent[@value = 'proposal' or @value = 'option' or @value = 'plan'][$kind != 'CarePlan'] or f:doNotPerform[@value = 'true'])]">
          <xsl:if test="not(contains($older, concat('|', generate-id(), '|')) or $own = ../../f:fullUrl/@value or $own = concat($kind, '/', f:id/@value))"><by><xsl:apply-templates select="." mode="replacing-words"/></by></xsl:if>
        </xsl:for-each>
      </xsl:for-each>
    </xsl:variable>
    <xsl:for-each select="exsl:node-set($newer)/by[1]"><xsl:value-of select="concat(' Replaced by: ', normalize-space(), substring('another one', 1, 20 * (normalize-space() = '')), '.')"/></xsl:for-each>
  </xsl:template>

  <xsl:template match="*" mode="replacing-words">
    <xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:code"/></xsl:call-template>
    <xsl:value-of select="f:title/@value"/>
    <xsl:if test="not(f:code or f:title)"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:category[1]"/></xsl:call-template></xsl:if>
  </xsl:template>
  <xsl:template match="f:MedicationRequest" mode="replacing-words"><xsl:apply-templates select="." mode="medicine-words"/></xsl:template>

  <!-- What a prescription is of, in words. -->
  <xsl:template match="f:MedicationRequest" mode="medicine-words">
    <xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:medicationCodeableConcept"/></xsl:call-template>
    <xsl:apply-templates select="f:medicationReference" mode="pointed"/>
  </xsl:template>

  <!-- That a prescription replaces an older one, in words, with what that is of where it is known. -->
  <xsl:template match="f:priorPrescription" mode="prescribed">
    <xsl:variable name="of"><xsl:apply-templates select="key('resource', string(f:reference/@value))[1][self::f:MedicationRequest]" mode="medicine-words"/></xsl:variable>
    <xsl:variable name="known" select="normalize-space(concat($of, substring(f:display/@value, 1, 300 * ($of = ''))))"/>
    <xsl:value-of select="concat(' Replaces: ', $known, substring('another prescription', 1, 20 * ($known = '')), '.')"/>
  </xsl:template>
  <xsl:template match="f:replaces" mode="prescribed">
    <xsl:variable name="of"><xsl:apply-templates select="key('resource', string(f:reference/@value))[1]" mode="replacing-words"/></xsl:variable>
    <xsl:variable name="known" select="normalize-space(concat($of, substring(f:display/@value, 1, 300 * ($of = ''))))"/>
    <xsl:value-of select="concat(' Replaces: ', $known, substring('another one', 1, 20 * ($known = '')), '.')"/>
  </xsl:template>

  <xsl:template match="f:MedicationStatement" mode="resource">
    <xsl:variable name="by-patient"><xsl:call-template name="by-patient"><xsl:with-param name="source" select="f:informationSource/f:reference/@value"/></xsl:call-template></xsl:variable>
    <xsl:call-template name="medication">
      <xsl:with-param name="why"><xsl:if test="f:status/@value = 'not-taken'">negated</xsl:if></xsl:with-param>
      <xsl:with-param name="start" select="(f:effectiveDateTime/@value | f:effectivePeriod/f:start/@value)[1]"/>
      <xsl:with-param name="end" select="f:effectivePeriod/f:end/@value"/>
      <xsl:with-param name="dosage" select="f:dosage"/>
      <xsl:with-param name="provenance" select="substring('patientReport', 1, 13 * ($by-patient = 'yes'))"/>
      <xsl:with-param name="states" select="'http://hl7.org/fhir/CodeSystem/medication-statement-status'"/>
    </xsl:call-template>
  </xsl:template>

  <!-- "yes" if the source is the patient or a person related to the patient. -->
  <xsl:template name="by-patient">
    <xsl:param name="source"/>
    <xsl:if test="starts-with($source, 'Patient/') or starts-with($source, 'RelatedPerson/')
                  or (key('resource', string($source)))[1][self::f:Patient or self::f:RelatedPerson]">yes</xsl:if>
  </xsl:template>

  <xsl:template match="f:MedicationAdministration" mode="resource">
    <xsl:call-template name="medication">
      <xsl:with-param name="why"><xsl:if test="f:status/@value = 'not-done'">negated</xsl:if></xsl:with-param>
      <xsl:with-param name="start" select="(f:effectiveDateTime/@value | f:effectivePeriod/f:start/@value)[1]"/>
      <xsl:with-param name="end" select="f:effectivePeriod/f:end/@value"/>
      <xsl:with-param name="dosage" select="f:dosage"/>
      <xsl:with-param name="provenance" select="'administration'"/>
      <xsl:with-param name="states" select="'http://terminology.hl7.org/CodeSystem/medication-admin-status'"/>
    </xsl:call-template>
  </xsl:template>

  <!-- A dispense of a request in this bundle belongs to the request; any other dispense makes a medication of its
       own. -->
  <xsl:template match="f:MedicationDispense" mode="resource">
    <xsl:if test="not(f:authorizingPrescription/f:reference/@value[(key('resource', .))[1][self::f:MedicationRequest]])">
      <xsl:call-template name="medication">
        <xsl:with-param name="start" select="f:whenHandedOver/@value"/>
        <xsl:with-param name="start-else" select="f:whenPrepared/@value"/>
        <xsl:with-param name="dosage" select="f:dosageInstruction"/>
        <xsl:with-param name="provenance" select="'fulfillment'"/>
        <xsl:with-param name="states" select="'http://terminology.hl7.org/CodeSystem/medicationdispense-status'"/>
        <xsl:with-param name="fills" select="."/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>

  <xsl:template name="medication">
    <xsl:param name="why"/>
    <xsl:param name="start"/>
    <xsl:param name="start-else" select="/.."/>
    <xsl:param name="end" select="/.."/>
    <xsl:param name="dosage"/>
    <xsl:param name="provenance"/>
    <xsl:param name="states"/>
    <xsl:param name="fills" select="/.."/>
    <xsl:variable name="reference" select="f:medicationReference/f:reference/@value"/>
    <xsl:variable name="address" select="substring-before(concat($reference, '/_history/'), '/_history/')"/>
    <!-- Without full addresses, the type and id in an address mean a resource if they are those of one only. -->
    <xsl:variable name="relative" select="concat('Medication/', substring-after($address, '/Medication/'))"/>
    <!-- A relative reference is one of the server of this resource. -->
    <xsl:variable name="server" select="substring-before(../../f:fullUrl/@value, concat(local-name(), '/', f:id/@value))"/>
    <xsl:variable name="own-server" select="(key('resource', concat($server, $address)))[1][$server != ''][self::f:Medication]"/>
    <xsl:variable name="outside" select="key('resource', $address)[1][not($own-server)][self::f:Medication]"/>
    <xsl:variable name="direct" select="$own-server | $outside | key('resource', concat(generate-id(), $reference))[1][not($own-server or $outside)][self::f:Medication]"/>
    <xsl:variable name="drug" select="$direct | (key('resource', $relative))[1][not($direct)][not((key('resource', $relative))[2])][self::f:Medication]"/>
    <xsl:variable name="own-concept" select="(f:medicationCodeableConcept | $drug/f:code)[f:text/@value or f:coding/f:code/@value or f:coding/f:display/@value]"/>
    <xsl:variable name="mixture"><xsl:apply-templates select="$drug[not($own-concept)]" mode="mixture"/></xsl:variable>
    <xsl:variable name="substance" select="$drug[not($own-concept)][count(f:ingredient) = 1]/f:ingredient/f:itemCodeableConcept"/>
    <xsl:variable name="concept" select="$own-concept | $substance"/>
    <!-- A text that names the drug of the code and its strength says more than the name of the code. -->
    <xsl:variable name="shown" select="translate(normalize-space($own-concept/f:coding[f:display][1]/f:display/@value), $capitals, $smalls)"/>
    <xsl:variable name="fuller" select="$own-concept/f:text/@value[$shown != ''][translate($shown, $digits, '') = $shown][translate(., $digits, '') != .][contains(translate(., $capitals, $smalls), $shown)]"/>
    <!-- A text whose numbers are none of those in the name of the code says another strength: what was written counts. -->
    <xsl:variable name="numbers" select="concat(' ', translate($shown, translate($shown, concat($digits, '. '), ''), ''), ' ')"/>
    <xsl:variable name="written" select="normalize-space(translate($own-concept/f:text/@value, translate($own-concept/f:text/@value, concat($digits, '. '), ''), ' '))"/>
    <xsl:variable name="agreed"><xsl:for-each select="str:tokenize($written, ' ')[contains($numbers, concat(' ', ., ' '))]">y</xsl:for-each></xsl:variable>
    <xsl:variable name="denied" select="$own-concept/f:text/@value[$shown != ''][translate($shown, $digits, '') != $shown][translate($written, $digits, '') != $written][$agreed = '']"/>
    <xsl:variable name="named">
      <xsl:call-template name="named">
        <xsl:with-param name="field" select="'drugName'"/>
        <xsl:with-param name="concept" select="$concept"/>
        <xsl:with-param name="prefer" select="$rxnorm-uri"/>
        <xsl:with-param name="label" select="concat(f:medicationReference/f:display/@value, substring($mixture, 1, 300 * not(f:medicationReference/f:display)))"/>
        <xsl:with-param name="instead" select="concat($mixture, ($fuller | $denied)[1][$mixture = ''])"/>
      </xsl:call-template>
    </xsl:variable>
    <xsl:variable name="name" select="exsl:node-set($named)/Field"/>
    <xsl:variable name="first-day"><xsl:call-template name="time"><xsl:with-param name="value" select="$start"/></xsl:call-template></xsl:variable>
    <xsl:variable name="other-day"><xsl:call-template name="time"><xsl:with-param name="value" select="$start-else"/></xsl:call-template></xsl:variable>
    <xsl:variable name="last-day"><xsl:call-template name="time"><xsl:with-param name="value" select="$end"/></xsl:call-template></xsl:variable>
    <xsl:variable name="day" select="concat($first-day, substring($other-day, 1, string-length($other-day) * ($first-day = '')))"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="reason">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="$why != ''"><xsl:value-of select="$why"/></xsl:when>
        <xsl:when test="not($name)">no_code</xsl:when>
        <xsl:otherwise>
          <xsl:variable name="absence"><xsl:call-template name="absence"><xsl:with-param name="name" select="$name"/><xsl:with-param name="model" select="'Medication'"/></xsl:call-template></xsl:variable>
          <xsl:value-of select="$absence"/>
          <xsl:variable name="whose"><xsl:if test="$absence = ''"><xsl:call-template name="of-relative"><xsl:with-param name="name" select="$name[@name = 'drugName_title']"/></xsl:call-template></xsl:if></xsl:variable>
          <xsl:value-of select="$whose"/>
          <xsl:if test="$absence = '' and $whose = ''"><xsl:call-template name="not-counted"><xsl:with-param name="names" select="$name[@name = 'drugName_title'] | $own-concept/f:text/@value | $own-concept/f:coding/f:display/@value | f:medicationReference/f:display/@value"/><xsl:with-param name="remarks" select="f:note/f:text/@value | (f:dosage | f:dosageInstruction)/f:text/@value | (f:dosage | f:dosageInstruction)/f:patientInstruction/@value"/><xsl:with-param name="model" select="'Medication'"/></xsl:call-template></xsl:if>
        </xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <!-- "No known medications" that is true and goes on. -->
    <xsl:variable name="none">
      <xsl:if test="self::f:MedicationStatement[f:status[@value = 'active' or @value = 'unknown']] and $general = '' and $why = '' and $reason = 'negated'">
        <xsl:variable name="remarks"><xsl:call-template name="notes"/><xsl:value-of select="concat(f:effectivePeriod/f:end/@value, f:dosage/f:text/@value)"/></xsl:variable>
        <xsl:call-template name="none-known"><xsl:with-param name="name" select="$name"/><xsl:with-param name="model" select="'Medication'"/><xsl:with-param name="beside" select="$remarks"/></xsl:call-template>
      </xsl:if>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="exsl:node-set($none)/Model"><xsl:copy-of select="$none"/></xsl:when>
      <xsl:when test="$reason != ''">
        <LeftOut model="Medication" reason="{$reason}"/>
        <xsl:call-template name="taken-back"><xsl:with-param name="why" select="$reason"/><xsl:with-param name="model" select="'Medication'"/><xsl:with-param name="name" select="$name[@name = 'drugName_title']"/></xsl:call-template>
        <xsl:for-each select="$fills[$reason != 'older_version']"><LeftOut model="Fill" reason="no_medication"/></xsl:for-each>
      </xsl:when>
      <xsl:otherwise>
        <xsl:variable name="filled"><xsl:apply-templates select="$fills" mode="Fill"/></xsl:variable>
        <xsl:variable name="of-stop"><xsl:if test="f:status/@value != 'cancelled' and f:status/@value != 'draft'"><xsl:call-template name="stopped-how"/></xsl:if></xsl:variable>
        <xsl:variable name="own-status" select="concat($of-stop, substring(f:status/@value, 1, 99 * ($of-stop = '')))"/>
        <xsl:variable name="active" select="f:status[@value = 'active']"/>
        <xsl:variable name="drug-name" select="$name[@name = 'drugName_title'][$active]"/>
        <xsl:variable name="list-title"><xsl:call-template name="title-of-list"/></xsl:variable>
        <xsl:variable name="past"><xsl:if test="$active"><xsl:call-template name="past-list"><xsl:with-param name="title" select="$list-title"/></xsl:call-template></xsl:if></xsl:variable>
        <xsl:variable name="given-then"><xsl:if test="$active"><xsl:call-template name="given-list"><xsl:with-param name="title" select="$list-title"/></xsl:call-template></xsl:if></xsl:variable>
        <xsl:variable name="replaced"><xsl:if test="$active[parent::f:MedicationRequest]"><xsl:call-template name="replaced-by"/></xsl:if></xsl:variable>
        <xsl:variable name="untaken-texts"><xsl:for-each select="f:text[$active]/x:div//text()[normalize-space()][position() &lt;= 50]"><xsl:variable name="one"><xsl:call-template name="says-untaken"><xsl:with-param name="remarks" select="."/><xsl:with-param name="drug" select="$drug-name"/></xsl:call-template></xsl:variable><xsl:if test="$one != ''"><text says="{$one}"><xsl:value-of select="concat(' In the words of the source: ', normalize-space(), '.')"/></text></xsl:if></xsl:for-each></xsl:variable>
        <xsl:variable name="remarks" select="f:note/f:text/@value | $dosage/f:text/@value | $dosage/f:patientInstruction/@value | $dosage/f:additionalInstruction/f:text/@value | $dosage/f:additionalInstruction/f:coding/f:display/@value | f:statusReason/f:text/@value | f:statusReason/f:coding/f:display/@value | f:extension[contains(@url, 'dherence')]//f:valueCodeableConcept/f:text/@value | f:extension[contains(@url, 'dherence')]//f:valueCodeableConcept/f:coding/f:display/@value"/>
        <xsl:variable name="untaken"><xsl:if test="$active"><xsl:call-template name="says-untaken"><xsl:with-param name="remarks" select="$name[@name = 'drugName_title'] | $own-concept/f:text/@value | $own-concept/f:coding/f:display/@value | f:medicationReference/f:display/@value | $remarks"/><xsl:with-param name="drug" select="$drug-name"/></xsl:call-template><xsl:for-each select="exsl:node-set($untaken-texts)/text"><xsl:value-of select="@says"/></xsl:for-each></xsl:if></xsl:variable>
        <!-- What is not taken until then is on hold, also where another remark only says that it is not taken. -->
        <xsl:variable name="until-then" select="contains($untaken, 'hold')"/>
        <xsl:variable name="held"><xsl:if test="$active"><xsl:call-template name="says-held"><xsl:with-param name="remarks" select="$remarks"/><xsl:with-param name="drug" select="$drug-name"/></xsl:call-template><xsl:if test="$until-then">yes</xsl:if></xsl:if></xsl:variable>
        <xsl:variable name="stop"><xsl:if test="$active"><xsl:call-template name="says-stop"><xsl:with-param name="said" select="$dosage[count($dosage) = 1]/f:text/@value"/><xsl:with-param name="drug" select="$drug-name[not($until-then)]"/></xsl:call-template><xsl:value-of select="concat(substring($untaken, 1, 99 * not($until-then)), $past, $replaced)"/></xsl:if></xsl:variable>
        <xsl:variable name="doubt"><xsl:if test="$active and $own-status = 'active'"><xsl:call-template name="says-doubtful"><xsl:with-param name="names" select="$drug-name | $own-concept/f:text/@value | $own-concept/f:coding/f:display/@value | f:medicationReference/f:display/@value"/><xsl:with-param name="remarks" select="$remarks"/></xsl:call-template></xsl:if></xsl:variable>
        <!-- The status by words, which count more than "active". -->
        <xsl:variable name="status-by-words">
          <xsl:choose>
            <xsl:when test="$stop != ''">stopped</xsl:when>
            <xsl:when test="$held != ''">on-hold</xsl:when>
            <xsl:when test="$given-then != ''">completed</xsl:when>
            <!-- Nobody can tell whether it is taken. -->
            <xsl:when test="$doubt != ''">unknown</xsl:when>
          </xsl:choose>
        </xsl:variable>
        <Model name="Medication">
          <xsl:call-template name="identity"/>
          <xsl:copy-of select="$name"/>
          <Field name="startDate"><xsl:value-of select="substring($day, 1, 10)"/></Field>
          <!-- What is on hold since a day has not ended on it. -->
          <Field name="endDate"><xsl:value-of select="substring($last-day, 1, 10 * ($of-stop != 'on-hold'))"/></Field>
          <Field name="strength"><xsl:apply-templates select="$drug" mode="strength"/></Field>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'form'"/><xsl:with-param name="concept" select="$drug/f:form"/><xsl:with-param name="prefer" select="$snomed-uri"/></xsl:call-template>
          <!-- The way in which all of it is taken. -->
          <xsl:variable name="routes" select="$dosage/f:route"/>
          <xsl:variable name="route" select="concat($routes[1]/f:coding[1]/f:code/@value, '|', $routes[1]/f:text/@value)"/>
          <xsl:if test="not($routes[concat(f:coding[1]/f:code/@value, '|', f:text/@value) != $route])">
            <xsl:call-template name="named"><xsl:with-param name="field" select="'route'"/><xsl:with-param name="concept" select="$routes[1]"/><xsl:with-param name="prefer" select="$snomed-uri"/></xsl:call-template>
          </xsl:if>
          <!-- The service puts dosages into words, and fills dose and frequency where these say all of it. -->
          <Field name="dosage"><xsl:apply-templates select="$dosage" mode="dosage"/></Field>
          <Field name="notes">
            <xsl:call-template name="notes"/>
            <xsl:call-template name="own-words"><xsl:with-param name="concept" select="$own-concept"/><xsl:with-param name="title" select="string($name[@name = 'drugName_title'])"/></xsl:call-template>
            <xsl:if test="$status-by-words != '' or ($of-stop != '' and $active)"> The sender&#x2019;s entry has the status active.</xsl:if>
            <xsl:value-of select="concat($untaken-texts, $past, $given-then, $replaced)"/>
            <xsl:if test="$of-stop != ''">
              <xsl:call-template name="said-of"><xsl:with-param name="label" select="'In the words of the source'"/><xsl:with-param name="concepts" select="key('stop', generate-id())[1]/f:valueCodeableConcept"/></xsl:call-template>
              <xsl:if test="$of-stop = 'on-hold' and $last-day != ''"><xsl:value-of select="concat(' Ended: ', substring($last-day, 1, 10), '.')"/></xsl:if>
            </xsl:if>
            <xsl:if test="$denied"><xsl:value-of select="concat(' Its code is that of: ', $own-concept/f:coding[f:display][1]/f:display/@value, '.')"/></xsl:if>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'For'"/><xsl:with-param name="concepts" select="f:reasonCode"/></xsl:call-template>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'For'"/><xsl:with-param name="references" select="f:reasonReference"/></xsl:call-template>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Told by'"/><xsl:with-param name="references" select="(f:informationSource | f:reportedReference)[not(starts-with(f:reference/@value, 'Patient/') or (key('resource', string(f:reference/@value)))[1][self::f:Patient])]"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Course'"/><xsl:with-param name="concepts" select="f:courseOfTherapyType"/></xsl:call-template>
            <xsl:apply-templates select="f:dispenseRequest | f:substitution | f:priorPrescription" mode="prescribed"/>
            <xsl:if test="$drug/f:batch/f:expirationDate/@value"><xsl:value-of select="concat(' Medicine to be used by ', $drug/f:batch/f:expirationDate/@value, '.')"/></xsl:if>
            <xsl:apply-templates select="$fills[generate-id() != generate-id(current())][position() &lt;= 50]" mode="otherwise"><xsl:with-param name="request" select="."/></xsl:apply-templates>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Also'"/><xsl:with-param name="concepts" select="f:statusReason[position() > 1]"/></xsl:call-template>
          </Field>
          <xsl:call-template name="listed">
            <xsl:with-param name="field" select="'provenance'"/>
            <xsl:with-param name="code" select="concat(substring('administration', 1, 14 * ($status-by-words = 'completed')), substring($provenance, 1, 99 * ($status-by-words != 'completed')))"/>
            <xsl:with-param name="system" select="concat($list-uri, 'MedicationProvenance#')"/>
          </xsl:call-template>
          <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="concat($status-by-words, substring($own-status, 1, 99 * ($status-by-words = '')))"/><xsl:with-param name="system" select="$states"/></xsl:call-template>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'reasonStopped'"/><xsl:with-param name="concept" select="(f:statusReason | f:statusReasonCodeableConcept)[1]"/></xsl:call-template>
          <xsl:call-template name="listed"><xsl:with-param name="field" select="'intent'"/><xsl:with-param name="code" select="string(f:intent/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/CodeSystem/medicationrequest-intent'"/></xsl:call-template>
          <xsl:if test="exsl:node-set($filled)/Model">
            <Field name="fulfillments" apart="yes"><Models><xsl:copy-of select="exsl:node-set($filled)/Model"/></Models></Field>
          </xsl:if>
        </Model>
        <xsl:copy-of select="exsl:node-set($filled)/LeftOut"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- What a prescription says beside the medicine: until when it can be used, how often it is repeated, how much it
       is. -->
  <xsl:template match="f:dispenseRequest" mode="prescribed">
    <xsl:for-each select="f:validityPeriod[f:start/@value or f:end/@value]">
      <xsl:text> Prescription valid</xsl:text>
      <xsl:if test="f:start/@value"><xsl:value-of select="concat(' from ', f:start/@value)"/></xsl:if>
      <xsl:if test="f:end/@value"><xsl:value-of select="concat(' until ', f:end/@value)"/></xsl:if>
      <xsl:text>.</xsl:text>
    </xsl:for-each>
    <xsl:if test="f:numberOfRepeatsAllowed/@value"><xsl:value-of select="concat(' Repeats allowed: ', f:numberOfRepeatsAllowed/@value, '.')"/></xsl:if>
    <xsl:apply-templates select="f:initialFill/f:quantity" mode="amount-of"><xsl:with-param name="label" select="'First quantity'"/></xsl:apply-templates>
    <xsl:apply-templates select="f:initialFill/f:duration" mode="amount-of"><xsl:with-param name="label" select="'First for'"/></xsl:apply-templates>
    <xsl:apply-templates select="f:quantity" mode="amount-of"><xsl:with-param name="label" select="'Quantity'"/></xsl:apply-templates>
    <xsl:apply-templates select="f:expectedSupplyDuration" mode="amount-of"><xsl:with-param name="label" select="'Supply for'"/></xsl:apply-templates>
    <xsl:apply-templates select="f:dispenseInterval" mode="amount-of"><xsl:with-param name="label" select="'Handed out every'"/></xsl:apply-templates>
  </xsl:template>
  <xsl:template match="f:substitution" mode="prescribed"/>
  <xsl:template match="f:MedicationRequest/f:substitution" mode="prescribed">
    <xsl:if test="f:allowedBoolean/@value = 'false'"> Not to be replaced by another product.</xsl:if>
    <xsl:call-template name="said-of"><xsl:with-param name="label" select="'May be replaced'"/><xsl:with-param name="concepts" select="f:allowedCodeableConcept"/></xsl:call-template>
    <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Reason'"/><xsl:with-param name="concepts" select="f:reason"/></xsl:call-template>
  </xsl:template>

  <!-- What was handed out, where it is another medicine or another dosage than what was prescribed. -->
  <xsl:template match="f:MedicationDispense" mode="otherwise">
    <xsl:param name="request"/>
    <xsl:variable name="drug"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:medicationCodeableConcept"/></xsl:call-template></xsl:variable>
    <xsl:variable name="asked"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="$request/f:medicationCodeableConcept"/></xsl:call-template></xsl:variable>
    <xsl:variable name="said">
      <xsl:if test="$asked != '' and $drug != $asked"><xsl:value-of select="$drug"/></xsl:if>
      <xsl:for-each select="f:dosageInstruction/f:text[not(@value = $request/f:dosageInstruction/f:text/@value)] | f:note/f:text"><xsl:value-of select="concat(' ', @value)"/></xsl:for-each>
    </xsl:variable>
    <xsl:if test="normalize-space($said) != '' and not(f:status[@value != 'completed' and @value != 'unknown'])">
      <xsl:value-of select="concat(' Handed out ', substring((f:whenHandedOver | f:whenPrepared[not(../f:whenHandedOver)])/@value, 1, 10), ': ', normalize-space($said), '.')"/>
    </xsl:if>
  </xsl:template>

  <xsl:template match="*" mode="dosage"><Dosage><xsl:copy-of select="*"/></Dosage></xsl:template>

  <!-- The dosage of an administration has one dose and one rate. -->
  <xsl:template match="f:MedicationAdministration/f:dosage" mode="dosage">
    <Dosage>
      <xsl:copy-of select="f:extension | f:modifierExtension | f:text | f:site | f:route | f:method"/>
      <xsl:if test="f:dose or f:rateRatio or f:rateQuantity">
        <doseAndRate>
          <xsl:for-each select="f:dose"><doseQuantity><xsl:copy-of select="*"/></doseQuantity></xsl:for-each>
          <xsl:copy-of select="f:rateRatio | f:rateQuantity"/>
        </doseAndRate>
      </xsl:if>
    </Dosage>
  </xsl:template>

  <!-- How much of each active ingredient is in one, or in the amount that is said: "875 mg / 125 mg". Nothing unless it is
       said of all of them. -->
  <xsl:template match="f:Medication" mode="strength">
    <xsl:variable name="active" select="f:ingredient[not(f:isActive/@value = 'false')]"/>
    <xsl:if test="not($active[not(f:strength/f:numerator/f:value)])">
      <xsl:for-each select="$active/f:strength">
        <xsl:if test="position() > 1"> / </xsl:if>
        <xsl:call-template name="strength"/>
      </xsl:for-each>
    </xsl:if>
  </xsl:template>

  <xsl:template name="strength">
    <xsl:variable name="over" select="f:denominator"/>
    <xsl:variable name="of"><xsl:apply-templates select="$over" mode="unit"/></xsl:variable>
    <xsl:for-each select="f:numerator">
      <xsl:value-of select="concat(f:comparator/@value, f:value/@value, ' ', f:unit/@value)"/><xsl:if test="not(f:unit)"><xsl:value-of select="f:code/@value"/></xsl:if>
    </xsl:for-each>
    <xsl:if test="$over/f:value and ($over/f:comparator or $over/f:value/@value != 1 or contains('|mL|ml|L|l|g|mg|ug|kg|h|d|', concat('|', $of, '|'))) and $of != '' and $of != '1'">
      <xsl:value-of select="concat('/', $over/f:comparator/@value, $over/f:value/@value, ' ', $of)"/>
    </xsl:if>
  </xsl:template>

  <!-- What a medicine is made of: "Ibuprofen 400 mg". The strength is that of one tablet or the like, else of the amount
       that is said. -->
  <xsl:template match="f:Medication" mode="mixture">
    <xsl:for-each select="f:ingredient">
      <xsl:variable name="inside" select="(key('resource', string(f:itemReference/f:reference/@value))[1] | key('resource', concat(generate-id(../../..), f:itemReference/f:reference/@value))[1][not(key('resource', string(f:itemReference/f:reference/@value)))])"/>
      <xsl:variable name="called"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="(f:itemCodeableConcept | $inside/f:code)[1]"/></xsl:call-template></xsl:variable>
      <xsl:variable name="said" select="concat($called, substring(f:itemReference/f:display/@value, 1, 300 * (normalize-space($called) = '')))"/>
      <xsl:if test="normalize-space($said) != ''">
        <xsl:if test="position() > 1"> / </xsl:if>
        <xsl:value-of select="normalize-space($said)"/>
        <xsl:for-each select="f:strength[f:numerator/f:value]"><xsl:text> </xsl:text><xsl:call-template name="strength"/></xsl:for-each>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="f:MedicationDispense" mode="Fill">
    <xsl:variable name="over"><xsl:call-template name="time"><xsl:with-param name="value" select="f:whenHandedOver/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="prepared"><xsl:call-template name="time"><xsl:with-param name="value" select="f:whenPrepared/@value"/></xsl:call-template></xsl:variable>
    <!-- Without a status, only the hand-over shows that the patient has it. -->
    <xsl:variable name="status" select="f:status/@value[. != 'unknown']"/>
    <xsl:variable name="date" select="concat($over, substring($prepared, 1, string-length($prepared) * ($over = '' and $status)))"/>
    <xsl:variable name="unit" select="(f:daysSupply/f:code | f:daysSupply[not(f:code)]/f:unit)/@value"/>
    <xsl:variable name="in-days" select="not($unit) or $unit = 'd' or $unit = 'day' or $unit = 'days' or $unit = 'Day' or $unit = 'Days'"/>
    <xsl:variable name="days" select="number(f:daysSupply/f:value/@value) * (1 + 6 * ($unit = 'wk'))"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="$status = 'preparation' or $status = 'in-progress' or $status = 'on-hold'">planned</xsl:when>
        <xsl:when test="$status != 'completed'">cancelled</xsl:when>
        <xsl:when test="$date = ''">no_date</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Fill" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="shop" select="(key('resource', string(f:location/f:reference/@value))[1] | key('resource', concat(generate-id(), f:location/f:reference/@value))[1][not(key('resource', string(f:location/f:reference/@value)))])[self::f:Location]"/>
        <xsl:variable name="actor" select="f:performer/f:actor/f:reference/@value"/>
        <xsl:variable name="firm" select="(key('resource', string($actor[(key('resource', .))[1][self::f:Organization]]))[1] | key('resource', concat(generate-id(), $actor))[1][not(key('resource', string($actor[(key('resource', .))[1][self::f:Organization]])))])[self::f:Organization]"/>
        <Model name="Fill">
          <xsl:call-template name="identity"/>
          <Field name="date"><xsl:value-of select="$date"/></Field>
          <xsl:if test="($in-days or $unit = 'wk') and $days &gt;= 0 and $days &lt; 100000"><Field name="dispenseDaysSupply"><xsl:value-of select="format-number($days, '0.######')"/></Field></xsl:if>
          <Field name="pharmacy_ncpdpid"><xsl:value-of select="($shop | $firm)/f:identifier[f:system/@value = 'http://terminology.hl7.org/NamingSystem/NCPDPProviderIdentificationNumber']/f:value/@value"/></Field>
          <Field name="pharmacy_org">
            <xsl:choose>
              <xsl:when test="$shop/f:name"><xsl:value-of select="$shop/f:name/@value"/></xsl:when>
              <xsl:when test="$firm/f:name"><xsl:value-of select="$firm/f:name/@value"/></xsl:when>
              <xsl:otherwise><xsl:value-of select="f:location/f:display/@value"/></xsl:otherwise>
            </xsl:choose>
          </Field>
          <xsl:apply-templates select="($shop/f:address | $firm[not($shop/f:address)]/f:address)[1]"><xsl:with-param name="field" select="'pharmacy_adr'"/></xsl:apply-templates>
          <xsl:if test="not($firm)"><xsl:apply-templates select="f:performer[1]/f:actor[1]" mode="provider"/></xsl:if>
          <xsl:call-template name="amount">
            <xsl:with-param name="field" select="'quantityDispensed'"/>
            <xsl:with-param name="quantity" select="f:quantity"/>
          </xsl:call-template>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ immunizations -->

  <xsl:template match="f:Immunization" mode="resource">
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'product_name'"/><xsl:with-param name="concept" select="f:vaccineCode"/><xsl:with-param name="prefer" select="$cvx-uri"/></xsl:call-template></xsl:variable>
    <xsl:variable name="name" select="exsl:node-set($named)/Field"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="nothing"><xsl:call-template name="absence"><xsl:with-param name="name" select="$name"/><xsl:with-param name="model" select="'Immunization'"/></xsl:call-template></xsl:variable>
    <xsl:variable name="absence"><xsl:value-of select="$nothing"/><xsl:if test="$nothing = ''"><xsl:call-template name="of-relative"><xsl:with-param name="name" select="$name[@name = 'product_name_title']"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="Immunization" reason="{$general}"/></xsl:when>
      <xsl:when test="not($name)"><LeftOut model="Immunization" reason="no_code"/></xsl:when>
      <xsl:when test="$absence != ''"><LeftOut model="Immunization" reason="{$absence}"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="given-on"><xsl:call-template name="time"><xsl:with-param name="value" select="f:occurrenceDateTime/@value"/></xsl:call-template></xsl:variable>
        <xsl:variable name="due-text"><xsl:if test="$given-on = ''"><xsl:for-each select="f:text/x:div//text()[normalize-space()][position() &lt;= 50]"><xsl:variable name="one"><xsl:call-template name="says-due"><xsl:with-param name="texts" select="."/></xsl:call-template></xsl:variable><xsl:if test="$one != ''"><xsl:value-of select="concat(' In the words of the source: ', normalize-space(), '.')"/></xsl:if></xsl:for-each></xsl:if></xsl:variable>
        <!-- "Refused" and "due 2027" may stand in the place of the day. -->
        <xsl:variable name="day-words"><name><xsl:value-of select="concat('vaccine ', f:occurrenceString/@value)"/></name></xsl:variable>
        <xsl:variable name="denied"><xsl:call-template name="name-says-undone"><xsl:with-param name="model" select="'Immunization'"/><xsl:with-param name="names" select="f:vaccineCode/f:text/@value | f:vaccineCode/f:coding/f:display/@value | exsl:node-set($day-words)/name"/></xsl:call-template><xsl:call-template name="says-not-given"><xsl:with-param name="remarks" select="f:note/f:text/@value | f:lotNumber/@value | f:statusReason/f:text/@value | f:statusReason/f:coding/f:display/@value"/></xsl:call-template><xsl:if test="$given-on = ''"><xsl:call-template name="says-due"><xsl:with-param name="texts" select="f:vaccineCode/f:text/@value | f:vaccineCode/f:coding/f:display/@value | f:occurrenceString/@value | f:note/f:text/@value"/></xsl:call-template></xsl:if><xsl:value-of select="$due-text"/></xsl:variable>
        <xsl:variable name="given">
          <xsl:choose>
            <!-- Whatever the status is, what is said to be refused was not given. -->
            <xsl:when test="f:status/@value = 'not-done' or $denied != ''">notAdministered</xsl:when>
            <xsl:when test="f:subpotentReason/f:coding/f:code/@value = 'partial' or f:subpotentReason/f:coding/f:code/@value = 'partialdose'">partialDose</xsl:when>
            <!-- A dose that does not count as a whole one is neither. -->
            <xsl:when test="f:isSubpotent/@value = 'true'"/>
            <xsl:when test="f:status/@value = 'completed'">doseGiven</xsl:when>
          </xsl:choose>
        </xsl:variable>
        <!-- "Tdap?" may have been given or not. -->
        <xsl:variable name="unsure"><xsl:if test="$given = 'doseGiven' or $given = 'partialDose'"><xsl:call-template name="unsure"><xsl:with-param name="names" select="$name[@name = 'product_name_title'] | f:vaccineCode/f:text/@value"/></xsl:call-template></xsl:if></xsl:variable>
        <xsl:for-each select="(f:protocolApplied | f:reaction)[f:modifierExtension]"><LeftOut model="Immunization" reason="modifier_extension"/></xsl:for-each>
        <Model name="Immunization">
          <xsl:call-template name="identity"/>
          <Field name="date"><xsl:value-of select="$given-on"/></Field>
          <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="f:occurrenceString/@value"/></xsl:call-template></xsl:variable>
          <Field name="date_in_words"><xsl:if test="$spoken != 'unknown'"><xsl:value-of select="f:occurrenceString/@value"/></xsl:if></Field>
          <xsl:if test="$given != '' and $unsure = ''">
            <xsl:call-template name="listed">
              <xsl:with-param name="field" select="'administration_status'"/>
              <xsl:with-param name="code" select="string($given)"/>
              <xsl:with-param name="system" select="concat($list-uri, 'ImmunizationAdministrationStatus#')"/>
            </xsl:call-template>
          </xsl:if>
          <xsl:copy-of select="$name"/>
          <xsl:variable name="reason" select="$words/refusal[@from = current()[f:status/@value = 'not-done']/f:statusReason/f:coding/f:code/@value]/@to"/>
          <xsl:if test="$reason">
            <xsl:call-template name="listed">
              <xsl:with-param name="field" select="'refusal_reason'"/>
              <xsl:with-param name="code" select="string($reason[1])"/>
              <xsl:with-param name="system" select="concat($list-uri, 'ImmunizationRefusalReason#')"/>
            </xsl:call-template>
          </xsl:if>
          <xsl:if test="$unsure = ''"><xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="string(f:status/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/event-status'"/></xsl:call-template></xsl:if>
          <xsl:if test="$unsure != ''"><Field name="status_title">Unknown</Field></xsl:if>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'statusReason'"/><xsl:with-param name="concept" select="f:statusReason"/></xsl:call-template>
          <Field name="lotNumber"><xsl:value-of select="f:lotNumber/@value"/></Field>
          <!-- Several protocols have their numbers side by side. -->
          <Field name="dose_number"><xsl:for-each select="f:protocolApplied[not(f:modifierExtension)]/*[self::f:doseNumberPositiveInt or self::f:doseNumberString]"><xsl:value-of select="concat(substring('; ', 1, 2 * (position() > 1)), @value)"/></xsl:for-each></Field>
          <Field name="series_doses"><xsl:for-each select="f:protocolApplied[not(f:modifierExtension)]/*[self::f:seriesDosesPositiveInt or self::f:seriesDosesString]"><xsl:value-of select="concat(substring('; ', 1, 2 * (position() > 1)), @value)"/></xsl:for-each></Field>
          <Field name="series"><xsl:for-each select="f:protocolApplied[not(f:modifierExtension)]/f:series"><xsl:value-of select="concat(substring('; ', 1, 2 * (position() > 1)), @value)"/></xsl:for-each></Field>
          <Field name="target_disease">
            <xsl:for-each select="f:protocolApplied[not(f:modifierExtension)]/f:targetDisease"><xsl:if test="position() > 1">; </xsl:if><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template></xsl:for-each>
          </Field>
          <Field name="reaction"><xsl:for-each select="f:reaction[not(f:modifierExtension)]"><xsl:if test="position() > 1">; </xsl:if><xsl:apply-templates select="." mode="vaccine-reaction"/></xsl:for-each></Field>
          <Field name="notes">
            <xsl:call-template name="notes"/>
            <xsl:value-of select="$due-text"/>
            <xsl:if test="$unsure != ''"> The sender&#x2019;s entry has the status completed.</xsl:if>
            <xsl:call-template name="own-words"><xsl:with-param name="concept" select="f:vaccineCode"/><xsl:with-param name="title" select="string($name[@name = 'product_name_title'])"/></xsl:call-template>
            <xsl:if test="f:isSubpotent/@value = 'true'"> This dose does not count as a full one (subpotent).</xsl:if>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Less than a full dose'"/><xsl:with-param name="concepts" select="f:subpotentReason"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'As reported by'"/><xsl:with-param name="concepts" select="f:reportOrigin"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Site'"/><xsl:with-param name="concepts" select="f:site"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Route'"/><xsl:with-param name="concepts" select="f:route"/></xsl:call-template>
            <xsl:apply-templates select="f:doseQuantity" mode="amount-of"><xsl:with-param name="label" select="'Dose'"/></xsl:apply-templates>
            <xsl:if test="f:expirationDate/@value"><xsl:value-of select="concat(' Vaccine to be used by ', f:expirationDate/@value, '.')"/></xsl:if>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Made by'"/><xsl:with-param name="references" select="f:manufacturer"/></xsl:call-template>
            <xsl:if test="f:recorded/@value and not(f:occurrenceDateTime/@value)"><xsl:value-of select="concat(' Written down on ', substring(f:recorded/@value, 1, 10), '.')"/></xsl:if>
            <xsl:if test="f:primarySource/@value = 'false' and not(f:reportOrigin)"> Not told by those who gave it.</xsl:if>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'For'"/><xsl:with-param name="concepts" select="f:reasonCode"/></xsl:call-template>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'For'"/><xsl:with-param name="references" select="f:reasonReference"/></xsl:call-template>
          </Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- What happened: the observation to which the reaction points, else its own words. -->
  <xsl:template match="f:reaction" mode="vaccine-reaction">
    <xsl:variable name="named" select="f:detail/f:reference/@value"/>
    <xsl:variable name="seen" select="(key('resource', string($named))[1] | key('resource', concat(generate-id(..), $named))[1][not(key('resource', string($named)))])[self::f:Observation]"/>
    <xsl:variable name="result"><xsl:for-each select="$seen"><xsl:call-template name="result"/></xsl:for-each></xsl:variable>
    <xsl:variable name="amount"><xsl:for-each select="exsl:node-set($result)/Field[@name = 'value' or @name = 'quantitative_result_value_value' or @name = 'quantitative_result_value_unit'][normalize-space()]"><xsl:value-of select="concat(' ', .)"/></xsl:for-each></xsl:variable>
    <xsl:variable name="kind"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="$seen/f:code"/></xsl:call-template></xsl:variable>
    <xsl:variable name="day"><xsl:call-template name="time"><xsl:with-param name="value" select="f:date/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="said" select="normalize-space(concat(substring(f:detail/f:display/@value, 1, 300), substring(concat($kind, substring(':', 1, number($kind != '' and $amount != '')), $amount), 1, 300 * not(f:detail/f:display))))"/>
    <xsl:value-of select="$said"/>
    <xsl:if test="$said = ''">Reaction without words</xsl:if>
    <xsl:if test="$day != ''"><xsl:value-of select="concat(', ', substring($day, 1, 10))"/></xsl:if>
    <xsl:if test="f:reported/@value = 'true'"> (reported by the person)</xsl:if>
  </xsl:template>

  <!-- ============================================================ observations -->

  <!-- The kind of an observation by its category. Without one, it is found by the codes that only vital signs have, by
       what only results have, or by the report that contains or names it. Components become facts of their own. -->
  <xsl:template match="f:Observation" mode="kind">
    <xsl:param name="around" select="/.."/>
    <xsl:variable name="categories" select="f:category/f:coding/f:code/@value | f:category[not(f:coding/f:code)]/f:text/@value"/>
    <xsl:variable name="codes" select="f:code/f:coding[f:system/@value = 'http://loinc.org']/f:code/@value"/>
    <xsl:choose>
      <xsl:when test="$categories = 'vital-signs' or $categories = 'vital-sign' or $categories = 'Vital Signs' or $categories = 'Vital signs'">VitalSigns</xsl:when>
      <xsl:when test="$categories = 'laboratory' or $categories = 'LAB' or $categories = 'Laboratory'">LabResult</xsl:when>
      <xsl:when test="$categories = 'social-history' or $categories = 'Social History' or $words/social/@code = $codes">SocialHistory</xsl:when>
      <xsl:when test="not($categories) and ($words/vital/@from = $codes or $tables/panel/@code = $codes)">VitalSigns</xsl:when>
      <xsl:when test="not($categories) and (f:specimen or f:referenceRange or f:interpretation)">LabResult</xsl:when>
      <xsl:when test="not($categories) and $around/@laboratory">LabResult</xsl:when>
      <xsl:when test="not($categories) and not($around) and ((key('laboratory-result', string(../../f:fullUrl/@value)))[1] or (key('laboratory-result', concat('Observation/', f:id/@value)))[1])">LabResult</xsl:when>
      <xsl:otherwise>Observation</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="f:Observation" mode="resource">
    <!-- The resource that contains it. -->
    <xsl:param name="around" select="/.."/>
    <xsl:variable name="kind"><xsl:apply-templates select="." mode="kind"><xsl:with-param name="around" select="$around"/></xsl:apply-templates></xsl:variable>
    <xsl:variable name="general">
      <xsl:value-of select="$around/@why"/>
      <xsl:if test="not($around/@why != '')"><xsl:apply-templates select="." mode="why"/></xsl:if>
    </xsl:variable>
    <xsl:variable name="parts" select="f:component[not(f:modifierExtension)] | self::*[f:valueQuantity | f:valueCodeableConcept | f:valueString | f:valueBoolean | f:valueInteger | f:valueRange
                                       | f:valueRatio | f:valueSampledData | f:valueTime | f:valueDateTime | f:valuePeriod
                                       | f:dataAbsentReason[f:coding/f:code/@value = $beyond/@code or f:coding/f:code/@value = $beyond/@flavor]]"/>
    <xsl:if test="$general = ''"><xsl:for-each select="f:component[f:modifierExtension]"><LeftOut model="{$kind}" reason="modifier_extension"/></xsl:for-each></xsl:if>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="{$kind}" reason="{$general}"/></xsl:when>
      <xsl:when test="not($parts) and f:component/f:modifierExtension"/>
      <xsl:when test="f:status/@value = 'cancelled' and (not($parts) or $kind = 'SocialHistory')"><LeftOut model="{$kind}" reason="cancelled"/></xsl:when>
      <!-- The members are observations of their own; a remark beside them is said by none of them. -->
      <xsl:when test="not($parts) and f:hasMember and f:note/f:text[normalize-space(@value)]">
        <xsl:variable name="said"><xsl:call-template name="result-whole"><xsl:with-param name="around" select="$around"/><xsl:with-param name="kind" select="$kind"/></xsl:call-template></xsl:variable>
        <xsl:apply-templates select="." mode="LabResult"><xsl:with-param name="whole" select="exsl:node-set($said)/*"/></xsl:apply-templates>
      </xsl:when>
      <xsl:when test="not($parts) and f:hasMember"><LeftOut model="{$kind}" reason="panel"/></xsl:when>
      <xsl:when test="($kind = 'VitalSigns' or $kind = 'SocialHistory') and not($parts)"><LeftOut model="{$kind}" reason="no_value"/></xsl:when>
      <xsl:when test="$kind = 'SocialHistory'">
        <xsl:variable name="said"><xsl:call-template name="social-whole"><xsl:with-param name="around" select="$around"/></xsl:call-template></xsl:variable>
        <xsl:apply-templates select="$parts" mode="SocialHistory"><xsl:with-param name="whole" select="exsl:node-set($said)/*"/></xsl:apply-templates>
      </xsl:when>
      <xsl:when test="$kind = 'VitalSigns'">
        <xsl:variable name="said"><xsl:call-template name="vital-signs-whole"><xsl:with-param name="around" select="$around"/></xsl:call-template></xsl:variable>
        <xsl:variable name="in-words"><xsl:call-template name="result-whole"><xsl:with-param name="around" select="$around"/><xsl:with-param name="kind" select="$kind"/></xsl:call-template></xsl:variable>
        <xsl:apply-templates select="$parts" mode="VitalSigns">
          <xsl:with-param name="whole" select="exsl:node-set($said)/*"/>
          <xsl:with-param name="result" select="exsl:node-set($in-words)/*"/>
        </xsl:apply-templates>
      </xsl:when>
      <xsl:otherwise>
        <xsl:variable name="said"><xsl:call-template name="result-whole"><xsl:with-param name="around" select="$around"/><xsl:with-param name="kind" select="$kind"/></xsl:call-template></xsl:variable>
        <xsl:apply-templates select="$parts | self::*[not($parts)]" mode="LabResult"><xsl:with-param name="whole" select="exsl:node-set($said)/*"/></xsl:apply-templates>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- What all results of an observation share is computed once for all of them, because a step from a component to its
       siblings walks through all components. -->
  <xsl:template name="result-whole">
    <xsl:param name="around"/>
    <xsl:param name="kind" select="'LabResult'"/>
    <xsl:variable name="seen"><xsl:call-template name="observed"><xsl:with-param name="around" select="$around"/></xsl:call-template></xsl:variable>
    <xsl:variable name="taken-from" select="f:specimen/f:reference/@value"/>
    <xsl:variable name="specimen" select="(key('resource', string($taken-from))[1] | key('resource', concat(generate-id(), $taken-from))[1][not(key('resource', string($taken-from)))])[self::f:Specimen]"/>
    <xsl:variable name="collected"><xsl:call-template name="time"><xsl:with-param name="value" select="($specimen/f:collection/f:collectedDateTime/@value | $specimen/f:collection/f:collectedPeriod/f:start/@value)[1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="collector" select="$specimen/f:collection/f:collector"/>
    <xsl:variable name="hand" select="(key('resource', string($collector/f:reference/@value))[1] | key('resource', concat(generate-id(), $collector/f:reference/@value))[1][not(key('resource', string($collector/f:reference/@value)))])[self::f:Practitioner]"/>
    <!-- The date of the report stands in for that of the observation, and the notes say so. -->
    <xsl:variable name="stand-in"><xsl:if test="$collected = '' and $seen = ''"><xsl:call-template name="time"><xsl:with-param name="value" select="f:issued/@value"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:variable name="notes">
      <xsl:call-template name="notes"/>
      <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Site'"/><xsl:with-param name="concepts" select="f:bodySite"/></xsl:call-template>
      <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Method'"/><xsl:with-param name="concepts" select="f:method"/></xsl:call-template>
      <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Device'"/><xsl:with-param name="references" select="f:device"/></xsl:call-template>
      <xsl:for-each select="f:effectiveTiming[f:repeat or f:code or f:event[2]]"><xsl:text> When: </xsl:text><xsl:apply-templates select="." mode="timing-words"/>.</xsl:for-each>
      <xsl:if test="$specimen/f:status[@value = 'unsatisfactory' or @value = 'unavailable' or @value = 'entered-in-error']"><xsl:value-of select="concat(' Specimen: ', $specimen/f:status/@value, '.')"/></xsl:if>
      <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Specimen'"/><xsl:with-param name="references" select="f:specimen[f:display][not(f:reference)]"/></xsl:call-template>
      <xsl:if test="$kind != 'SocialHistory' and f:effectivePeriod/f:start/@value and f:effectivePeriod/f:end/@value != f:effectivePeriod/f:start/@value"><xsl:value-of select="concat(' Until: ', f:effectivePeriod/f:end/@value, '.')"/></xsl:if>
      <xsl:if test="$stand-in != ''">
        <xsl:if test="f:note/f:text[normalize-space(@value)]"><xsl:text> </xsl:text></xsl:if>
        <xsl:text>(date of the report)</xsl:text>
      </xsl:if>
    </xsl:variable>
    <!-- Notes are only in the first result if many results would make them very long. -->
    <xsl:variable name="within"><xsl:if test="f:component"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:code"/></xsl:call-template></xsl:if></xsl:variable>
    <Whole often="{string-length($notes) * count(f:component) &lt;= 200000}" label="{generate-id()}" within="{normalize-space($within)}">
      <xsl:call-template name="identity"><xsl:with-param name="around" select="$around"/></xsl:call-template>
      <xsl:call-template name="observation-status"/>
      <Field name="collected_at">
        <xsl:value-of select="$collected"/>
        <xsl:if test="$collected = ''"><xsl:value-of select="concat($seen, $stand-in)"/></xsl:if>
      </Field>
      <xsl:if test="$kind != 'LabResult'">
        <xsl:call-template name="named"><xsl:with-param name="field" select="'category'"/><xsl:with-param name="concept" select="f:category[1]"/></xsl:call-template>
      </xsl:if>
      <xsl:if test="$kind = 'VitalSigns' and not(f:category)">
        <Field name="category_identifier">vital-signs</Field>
        <Field name="category_system">http://terminology.hl7.org/CodeSystem/observation-category</Field>
        <Field name="category_title">vital-signs</Field>
      </xsl:if>
      <xsl:for-each select="$hand/f:name[1]"><xsl:call-template name="person"><xsl:with-param name="field" select="'collected_by_name'"/></xsl:call-template></xsl:for-each>
      <xsl:if test="$collector/f:display and not($hand/f:name)"><Field name="collected_by_name_family"><xsl:value-of select="$collector/f:display/@value"/></Field></xsl:if>
      <xsl:if test="$specimen/f:accessionIdentifier"><Field name="accession_number"><xsl:value-of select="$specimen/f:accessionIdentifier/f:value/@value"/></Field></xsl:if>
      <Field name="notes"><xsl:value-of select="$notes"/></Field>
    </Whole>
  </xsl:template>

  <xsl:template name="observation-status">
    <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="string(f:status/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/observation-status'"/></xsl:call-template>
  </xsl:template>

  <!-- An observation inside a report, without a time of its own, has the report's time. -->
  <xsl:template name="observed">
    <xsl:param name="around" select="/.."/>
    <xsl:variable name="own"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:effectiveDateTime/@value | f:effectivePeriod/f:start/@value | f:effectiveInstant/@value | f:effectiveTiming/f:event/@value | f:effectiveTiming/f:repeat/f:boundsPeriod/f:start/@value)[1]"/></xsl:call-template></xsl:variable>
    <xsl:value-of select="$own"/>
    <!-- A time that was written without a zone is one of the sender's clock. -->
    <xsl:if test="string-length($own) = 10"><xsl:for-each select="(f:effectiveDateTime[@value] | f:effectivePeriod/f:start[@value])[1]/f:extension[@url = 'urn:svc:clock-time']"><xsl:value-of select="concat('T', f:valueString/@value)"/></xsl:for-each></xsl:if>
    <xsl:if test="$own = ''"><xsl:value-of select="$around/@time"/></xsl:if>
  </xsl:template>

  <xsl:template match="f:Observation | f:component" mode="LabResult">
    <xsl:param name="whole"/>
    <xsl:param name="number" select="position()"/>
    <xsl:variable name="noted" select="$number = 1 or $whole/@often = 'true'"/>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'test_name'"/><xsl:with-param name="concept" select="f:code"/><xsl:with-param name="prefer" select="$loinc-uri"/></xsl:call-template></xsl:variable>
    <xsl:variable name="name" select="exsl:node-set($named)/Field"/>
    <xsl:choose>
      <xsl:when test="not($name)"><LeftOut model="LabResult" reason="no_code"/></xsl:when>
      <xsl:otherwise>
        <Model name="LabResult">
          <xsl:copy-of select="$whole/@id | $whole/@label"/>
          <xsl:call-template name="part"><xsl:with-param name="whole" select="$whole"/><xsl:with-param name="number" select="$number"/></xsl:call-template>
          <xsl:copy-of select="$name"/>
          <xsl:call-template name="result"/>
          <xsl:call-template name="interpretation"/>
          <xsl:variable name="usual" select="f:referenceRange[not(f:type) or f:type/f:coding/f:code/@value = 'normal'][f:low/f:value or f:high/f:value]"/>
          <!-- A range that names nobody fits everybody. -->
          <xsl:variable name="fits"><xsl:for-each select="$usual"><xsl:if test="not(f:appliesTo or f:age or f:text)">y</xsl:if><xsl:apply-templates select="self::*[f:appliesTo or f:age or f:text]" mode="fits"><xsl:with-param name="when" select="$whole/Field[@name = 'collected_at']"/></xsl:apply-templates></xsl:for-each></xsl:variable>
          <!-- One range fits this person for certain, and no other could. -->
          <xsl:variable name="range" select="$usual[string-length(substring-before($fits, 'y')) + 1 = position()]"/>
          <xsl:if test="translate($fits, 'n', '') = 'y'">
            <xsl:call-template name="amount"><xsl:with-param name="field" select="'quantitative_result_normal_range_min'"/><xsl:with-param name="quantity" select="$range/f:low"/></xsl:call-template>
            <xsl:call-template name="amount"><xsl:with-param name="field" select="'quantitative_result_normal_range_max'"/><xsl:with-param name="quantity" select="$range/f:high"/></xsl:call-template>
          </xsl:if>
          <xsl:if test="f:referenceRange">
            <Field name="reference">
              <xsl:for-each select="f:referenceRange">
                <xsl:if test="position() > 1">; </xsl:if>
                <xsl:apply-templates select="." mode="words"/>
              </xsl:for-each>
            </Field>
          </xsl:if>
          <xsl:copy-of select="$whole/Field[@name != 'notes']"/>
          <Field name="notes"><xsl:value-of select="$whole[$noted]/Field[@name = 'notes']"/><xsl:if test="self::f:component and $whole/@within != '' and not(contains($name[@name = 'test_name_title'], $whole/@within))"><xsl:value-of select="concat(' Part of: ', $whole/@within, '.')"/></xsl:if><xsl:call-template name="interpretation-beside"/><xsl:call-template name="words-of-test"><xsl:with-param name="text" select="f:code/f:text/@value"/><xsl:with-param name="title" select="$name[@name = 'test_name_title']"/><xsl:with-param name="any" select="true()"/></xsl:call-template><xsl:call-template name="absent-beside"/></Field>
        </Model>
        <xsl:if test="f:valueSampledData"><LeftOut model="Observation" reason="not_supported"/></xsl:if>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A reference range in words, with those to whom it applies and what it means. -->
  <xsl:template match="f:referenceRange" mode="words">
    <xsl:variable name="numbers"><xsl:call-template name="range-words"><xsl:with-param name="range" select="."/></xsl:call-template></xsl:variable>
    <xsl:variable name="ages"><xsl:if test="f:age"><xsl:call-template name="range-words"><xsl:with-param name="range" select="f:age"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:variable name="for">
      <xsl:for-each select="f:type[not(f:coding/f:code/@value = 'normal')] | f:appliesTo">
        <xsl:if test="position() > 1">, </xsl:if>
        <xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template>
      </xsl:for-each>
      <xsl:if test="normalize-space($ages) != ''"><xsl:value-of select="concat(substring(', ', 1, 2 * boolean(f:appliesTo or f:type[not(f:coding/f:code/@value = 'normal')])), normalize-space($ages))"/></xsl:if>
    </xsl:variable>
    <xsl:if test="normalize-space($for) != ''"><xsl:value-of select="concat($for, ': ')"/></xsl:if>
    <xsl:value-of select="f:text/@value"/>
    <xsl:if test="not(f:text)"><xsl:value-of select="normalize-space($numbers)"/></xsl:if>
    <xsl:if test="f:text and normalize-space($numbers) != '' and not(contains(f:text/@value, f:low/f:value/@value) and contains(f:text/@value, f:high/f:value/@value))"><xsl:value-of select="concat(' (', normalize-space($numbers), ')')"/></xsl:if>
  </xsl:template>

  <!-- Whether a reference range is one for this person: y, n, or u where that is not certain. -->
  <xsl:template match="f:referenceRange" mode="fits">
    <xsl:param name="when"/>
    <xsl:variable name="sexes">
      <xsl:for-each select="f:appliesTo">
        <xsl:variable name="said"><xsl:for-each select="f:text/@value | f:coding/f:display/@value | f:coding/f:code/@value"><xsl:value-of select="concat('|', translate(normalize-space(), $capitals, $smalls), '|')"/></xsl:for-each></xsl:variable>
        <xsl:call-template name="sex-fits"><xsl:with-param name="said" select="$said"/><xsl:with-param name="sex" select="$person/f:gender/@value"/></xsl:call-template>
      </xsl:for-each>
      <!-- Words beside the numbers may say for whom they are. -->
      <xsl:variable name="text" select="translate(f:text/@value, $capitals, $smalls)"/>
      <xsl:if test="$words/group[contains($text, .)] or $words/sex[string-length() &gt; 2][contains($text, .)]">u</xsl:if>
    </xsl:variable>
    <xsl:variable name="age"><xsl:if test="f:age"><xsl:call-template name="age-fits"><xsl:with-param name="when" select="$when"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:variable name="all" select="concat($sexes, $age)"/>
    <xsl:choose>
      <xsl:when test="contains($all, 'n') and contains($sexes, 'y')">u</xsl:when>
      <xsl:when test="contains($all, 'n')">n</xsl:when>
      <xsl:when test="contains($all, 'u')">u</xsl:when>
      <xsl:otherwise>y</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Only whole dates and years of age are compared. -->
  <xsl:template name="age-fits">
    <xsl:param name="when"/>
    <xsl:variable name="years" select="not((f:age/f:low | f:age/f:high)[not(f:code/@value = 'a' or (not(f:code) and (f:unit/@value = 'a' or f:unit/@value = 'years' or f:unit/@value = 'yr')))])"/>
    <xsl:choose>
      <xsl:when test="not($years) or string-length($when) &lt; 10">u</xsl:when>
      <xsl:otherwise>
        <xsl:call-template name="years-fit">
          <xsl:with-param name="low" select="f:age/f:low/f:value/@value"/>
          <xsl:with-param name="high" select="f:age/f:high/f:value/@value"/>
          <xsl:with-param name="born" select="translate($person/f:birthDate/@value, '-', '')"/>
          <xsl:with-param name="day" select="translate(substring($when, 1, 10), '-', '')"/>
        </xsl:call-template>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A number with its unit (and "&lt;" and the like before it), or words. -->
  <xsl:template name="result">
    <xsl:choose>
      <xsl:when test="f:valueQuantity/f:value/@value">
        <Field name="quantitative_result_value_value"><xsl:value-of select="concat(f:valueQuantity/f:comparator/@value, f:valueQuantity/f:value/@value)"/></Field>
        <Field name="quantitative_result_value_unit"><xsl:apply-templates select="f:valueQuantity" mode="unit"/></Field>
      </xsl:when>
      <xsl:when test="(f:valueInteger | f:valueDecimal)/@value"><Field name="quantitative_result_value_value"><xsl:value-of select="(f:valueInteger | f:valueDecimal)/@value"/></Field></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="said">
          <xsl:choose>
            <xsl:when test="f:valueRange"><xsl:call-template name="range-words"><xsl:with-param name="range" select="f:valueRange"/></xsl:call-template></xsl:when>
            <xsl:when test="f:valueRatio">
              <xsl:value-of select="concat(f:valueRatio/f:numerator/f:comparator/@value, f:valueRatio/f:numerator/f:value/@value)"/><xsl:apply-templates select="f:valueRatio/f:numerator" mode="unit-words"/>
              <xsl:text>:</xsl:text>
              <xsl:value-of select="concat(f:valueRatio/f:denominator/f:comparator/@value, f:valueRatio/f:denominator/f:value/@value)"/><xsl:apply-templates select="f:valueRatio/f:denominator" mode="unit-words"/>
            </xsl:when>
            <xsl:when test="f:valueCodeableConcept"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:valueCodeableConcept"/></xsl:call-template></xsl:when>
            <xsl:when test="f:valueCoding"><xsl:value-of select="(f:valueCoding/f:display | f:valueCoding[not(f:display)]/f:code)/@value"/></xsl:when>
            <xsl:when test="f:valueReference"><xsl:apply-templates select="f:valueReference" mode="pointed"/></xsl:when>
            <xsl:when test="f:valueAttachment"><xsl:value-of select="(f:valueAttachment/f:title | f:valueAttachment/f:url)[1]/@value"/></xsl:when>
            <xsl:when test="f:valueDate | f:valueUri"><xsl:value-of select="(f:valueDate | f:valueUri)/@value"/></xsl:when>
            <xsl:when test="f:valuePeriod"><xsl:value-of select="concat(f:valuePeriod/f:start/@value, ' - ', f:valuePeriod/f:end/@value)"/></xsl:when>
            <xsl:when test="f:valueBoolean/@value = 'true'">Yes</xsl:when>
            <xsl:when test="f:valueBoolean/@value = 'false'">No</xsl:when>
            <xsl:when test="f:valueString | f:valueBoolean | f:valueTime | f:valueDateTime"><xsl:value-of select="(f:valueString | f:valueBoolean | f:valueTime | f:valueDateTime)/@value"/></xsl:when>
            <xsl:otherwise><xsl:call-template name="absent-words"/></xsl:otherwise>
          </xsl:choose>
        </xsl:variable>
        <!-- An empty value may say beside it why it is empty. -->
        <xsl:variable name="reason" select="f:*[starts-with(local-name(), 'value')]//f:extension[@url = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason'][1]/f:valueCode/@value"/>
        <xsl:variable name="why-not" select="concat($words/absent[@code = $reason], substring($reason, 1, 255 * not($words/absent[@code = $reason])))"/>
        <Field name="narrative_result"><xsl:value-of select="concat($said, substring($why-not, 1, 255 * (normalize-space($said) = '')))"/></Field>
        <Field name="value"><xsl:value-of select="concat($said, substring($why-not, 1, 255 * (normalize-space($said) = '')))"/></Field>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A component is a fact and a statement of its own, because the models do not keep the name of the whole. -->
  <xsl:template name="part">
    <xsl:param name="whole"/>
    <xsl:param name="number" select="position()"/>
    <xsl:if test="$whole/@statement">
      <xsl:attribute name="statement"><xsl:value-of select="$whole/@statement"/><xsl:if test="self::f:component">#<xsl:value-of select="$number"/></xsl:if></xsl:attribute>
    </xsl:if>
    <xsl:copy-of select="$whole/@*[starts-with(name(), 'sent-')]"/>
    <xsl:if test="$whole/@sent-as and self::f:component"><xsl:attribute name="sent-as"><xsl:value-of select="concat($whole/@sent-as, '#', $number)"/></xsl:attribute></xsl:if>
  </xsl:template>

  <xsl:template name="range-words">
    <xsl:param name="range"/>
    <xsl:variable name="low" select="$range/f:low[f:value/@value]"/>
    <xsl:variable name="high" select="$range/f:high[f:value/@value]"/>
    <xsl:if test="$low or $high">
      <xsl:choose>
        <xsl:when test="$low and $high"><xsl:value-of select="concat($low/f:value/@value, ' - ', $high/f:value/@value, ' ')"/></xsl:when>
        <xsl:when test="$low"><xsl:value-of select="concat('>=', $low/f:value/@value, ' ')"/></xsl:when>
        <xsl:otherwise><xsl:value-of select="concat('&lt;=', $high/f:value/@value, ' ')"/></xsl:otherwise>
      </xsl:choose>
      <xsl:apply-templates select="(($low | $high)[f:unit or f:code] | ($low | $high)[not($low[f:unit or f:code] | $high[f:unit or f:code])])[1]" mode="unit-words"/>
    </xsl:if>
  </xsl:template>

  <xsl:template name="concept-words">
    <xsl:param name="concept"/>
    <xsl:value-of select="($concept/f:text | $concept[not(f:text)]/f:coding[f:display][1]/f:display | $concept[not(f:text) and not(f:coding/f:display)]/f:coding[1]/f:code)/@value"/>
  </xsl:template>

  <!-- The most serious one of several. -->
  <xsl:template name="interpretation">
    <xsl:call-template name="named">
      <xsl:with-param name="field" select="'abnormal_interpretation'"/>
      <xsl:with-param name="concept" select="f:interpretation[f:coding/f:code[@value = 'AA' or @value = 'HH' or @value = 'LL']][1]"/>
      <xsl:with-param name="known-first" select="true()"/>
    </xsl:call-template>
    <xsl:if test="not(f:interpretation/f:coding/f:code[@value = 'AA' or @value = 'HH' or @value = 'LL'])">
      <xsl:variable name="odd" select="f:interpretation[not(f:coding/f:code/@value = 'N')]"/>
      <xsl:variable name="telling" select="$odd[f:text or f:coding/f:display or f:coding/f:code[contains($terms, concat('|', @value, '='))]]"/>
      <xsl:call-template name="named">
        <xsl:with-param name="field" select="'abnormal_interpretation'"/>
        <!-- A mark such as "*" says less than a word. -->
        <xsl:with-param name="concept" select="($telling | $odd[not($telling)] | f:interpretation[not($odd)])[1]"/>
        <xsl:with-param name="known-first" select="true()"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- The other ones, and a text that says more than its code: "Normal for a child". -->
  <xsl:template name="interpretation-beside">
    <xsl:variable name="kept"><xsl:if test="f:interpretation"><xsl:call-template name="interpretation"/></xsl:if></xsl:variable>
    <xsl:variable name="title" select="string(exsl:node-set($kept)/Field[@name = 'abnormal_interpretation_title'])"/>
    <xsl:for-each select="f:interpretation[position() &lt;= 20]">
      <xsl:variable name="one"><xsl:call-template name="named"><xsl:with-param name="field" select="'one'"/><xsl:with-param name="concept" select="."/><xsl:with-param name="known-first" select="true()"/></xsl:call-template></xsl:variable>
      <xsl:variable name="called" select="string(exsl:node-set($one)/Field[@name = 'one_title'])"/>
      <xsl:if test="$called != '' and $called != $title"><xsl:value-of select="concat(' Interpretation: ', $called, '.')"/></xsl:if>
      <xsl:call-template name="own-words"><xsl:with-param name="concept" select="."/><xsl:with-param name="title" select="$called"/></xsl:call-template>
    </xsl:for-each>
  </xsl:template>

  <!-- What all answers of an observation share. -->
  <xsl:template name="social-whole">
    <xsl:param name="around"/>
    <xsl:variable name="kind" select="f:category[not(f:coding/f:code/@value = 'social-history')][1]"/>
    <xsl:variable name="end"><xsl:call-template name="time"><xsl:with-param name="value" select="f:effectivePeriod/f:end/@value"/></xsl:call-template></xsl:variable>
    <Whole>
      <xsl:call-template name="identity"><xsl:with-param name="around" select="$around"/></xsl:call-template>
      <Field name="date"><xsl:call-template name="observed"><xsl:with-param name="around" select="$around"/></xsl:call-template></Field>
      <Field name="end_date"><xsl:value-of select="$end"/></Field>
      <Field name="notes">
        <xsl:call-template name="notes"/>
        <xsl:variable name="valued"><xsl:call-template name="named"><xsl:with-param name="field" select="'value'"/><xsl:with-param name="concept" select="f:valueCodeableConcept"/><xsl:with-param name="prefer" select="$snomed-uri"/></xsl:call-template></xsl:variable>
        <xsl:call-template name="own-words"><xsl:with-param name="concept" select="f:valueCodeableConcept"/><xsl:with-param name="title" select="string(exsl:node-set($valued)/Field[@name = 'value_title'])"/></xsl:call-template>
      </Field>
      <xsl:call-template name="observation-status"/>
      <xsl:if test="not(f:category/f:coding/f:code/@value = 'social-history')">
        <xsl:call-template name="named"><xsl:with-param name="field" select="'category'"/><xsl:with-param name="concept" select="$kind"/></xsl:call-template>
      </xsl:if>
    </Whole>
  </xsl:template>

  <xsl:template match="f:Observation | f:component" mode="SocialHistory">
    <xsl:param name="whole"/>
    <xsl:variable name="first" select="position() = 1"/>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="concept" select="f:code"/><xsl:with-param name="prefer" select="$loinc-uri"/></xsl:call-template></xsl:variable>
    <xsl:variable name="answered"><xsl:call-template name="answer"/></xsl:variable>
    <xsl:variable name="answer" select="exsl:node-set($answered)/Field[normalize-space()]"/>
    <xsl:choose>
      <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="SocialHistory" reason="no_code"/></xsl:when>
      <xsl:when test="not($answer)"><LeftOut model="SocialHistory" reason="no_value"/></xsl:when>
      <xsl:otherwise>
        <Model name="SocialHistory">
          <xsl:copy-of select="$whole/@id"/>
          <xsl:call-template name="part"><xsl:with-param name="whole" select="$whole"/></xsl:call-template>
          <xsl:copy-of select="$named"/>
          <xsl:copy-of select="$answer"/>
          <!-- Notes may be long, and there may be many components. -->
          <xsl:copy-of select="$whole/Field[@name != 'notes' or $first]"/>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A number with its unit, a concept, or words. -->
  <xsl:template name="answer">
    <xsl:choose>
      <xsl:when test="f:valueQuantity/f:value/@value">
        <Field name="amount_value"><xsl:value-of select="concat(f:valueQuantity/f:comparator/@value, f:valueQuantity/f:value/@value)"/></Field>
        <Field name="amount_unit"><xsl:apply-templates select="f:valueQuantity" mode="unit"/></Field>
      </xsl:when>
      <xsl:when test="f:valueInteger/@value"><Field name="amount_value"><xsl:value-of select="f:valueInteger/@value"/></Field></xsl:when>
      <xsl:when test="f:valueCodeableConcept"><xsl:call-template name="named"><xsl:with-param name="field" select="'value'"/><xsl:with-param name="concept" select="f:valueCodeableConcept"/><xsl:with-param name="prefer" select="$snomed-uri"/></xsl:call-template></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="result"><xsl:if test="f:*[starts-with(local-name(), 'value')]"><xsl:call-template name="result"/></xsl:if></xsl:variable>
        <Field name="value_title"><xsl:value-of select="exsl:node-set($result)/Field[@name = 'value']"/></Field>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Readings of one time and one encounter belong together. A reading without columns there becomes a Measurement by
       its code, in its own unit. -->
  <xsl:template name="vital-signs-whole">
    <xsl:param name="around"/>
    <xsl:variable name="named" select="f:encounter/f:reference/@value"/>
    <xsl:variable name="encounter" select="(key('resource', substring-before(concat($named, '/_history/'), '/_history/')))[1][self::f:Encounter]"/>
    <xsl:variable name="stance" select="f:extension[@url = 'http://hl7.org/fhir/StructureDefinition/observation-bodyPosition']/f:valueCodeableConcept/f:coding/f:code/@value"/>
    <xsl:variable name="time"><xsl:call-template name="observed"><xsl:with-param name="around" select="$around"/></xsl:call-template></xsl:variable>
    <Whole named="{generate-id((key('naming-encounter', string($named)))[1])}" time="{$time}" position="{$words/position[@code = $stance]/@code}" site="{$words/site[@code = current()/f:bodySite/f:coding/f:code/@value]/@code}"
           method="{$words/method[@from = current()/f:method/f:coding/f:code/@value]/@to}">
      <xsl:if test="$encounter"><xsl:attribute name="encounter"><xsl:value-of select="generate-id($encounter)"/></xsl:attribute></xsl:if>
      <!-- Readings with remarks of their own make a set of their own. -->
      <xsl:variable name="pressure" select="(f:code | f:component/f:code)/f:coding/f:code[@value = '8480-6' or @value = '8462-4']"/>
      <xsl:variable name="remarks">
        <xsl:call-template name="notes"/>
        <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Interpretation'"/><xsl:with-param name="concepts" select="f:interpretation[not(f:coding/f:code/@value = 'N') or (f:text and not(contains('|N|Normal|normal|', concat('|', f:text/@value, '|'))))]"/></xsl:call-template>
        <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Site'"/><xsl:with-param name="concepts" select="f:bodySite[not($pressure and f:coding/f:code/@value = $words/site/@code)]"/></xsl:call-template>
        <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Method'"/><xsl:with-param name="concepts" select="f:method[not($pressure and f:coding/f:code/@value = $words/method/@from)]"/></xsl:call-template>
        <xsl:for-each select="f:code | f:component[position() &lt;= 50]/f:code"><xsl:call-template name="words-of-test"><xsl:with-param name="text" select="f:text/@value"/><xsl:with-param name="title"><xsl:for-each select="f:coding/f:display/@value"><xsl:value-of select="concat(., ' ')"/></xsl:for-each></xsl:with-param></xsl:call-template></xsl:for-each>
        <xsl:for-each select=". | f:component[position() &lt;= 50]"><xsl:call-template name="absent-beside"/></xsl:for-each>
      </xsl:variable>
      <xsl:attribute name="state"><xsl:value-of select="f:status/@value"/><xsl:if test="normalize-space($remarks) != ''"><xsl:value-of select="concat('|', generate-id())"/></xsl:if></xsl:attribute>
      <xsl:call-template name="identity"><xsl:with-param name="around" select="$around"/></xsl:call-template>
      <xsl:call-template name="observation-status"/>
      <xsl:if test="normalize-space($remarks) != '' and string-length($remarks) * count(f:component) &lt;= 200000"><Field name="notes"><xsl:value-of select="$remarks"/></Field></xsl:if>
    </Whole>
  </xsl:template>

  <xsl:template match="f:Observation | f:component" mode="VitalSigns">
    <xsl:param name="whole"/>
    <!-- The same for a vital sign that is kept in words. -->
    <xsl:param name="result"/>
    <xsl:variable name="place" select="position()"/>
    <xsl:variable name="found">
      <xsl:for-each select="f:code/f:coding">
        <xsl:variable name="system" select="substring-before(substring-after($systems, concat('|', f:system/@value, '=')), '|')"/>
        <xsl:variable name="row" select="substring-before(substring-after($vitals, concat('|', $system, ' ', f:code/@value, '=')), '|')"/>
        <xsl:if test="$row != ''"><xsl:value-of select="concat($row, '|')"/></xsl:if>
      </xsl:for-each>
    </xsl:variable>
    <!-- Column, code, title and position of a reading for which the model has columns. -->
    <xsl:variable name="elsewhere"><xsl:if test="$found != ''"><xsl:call-template name="other-thing"><xsl:with-param name="text" select="f:code/f:text/@value"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:variable name="vital" select="substring-before(substring($found, 1, 999 * ($elsewhere = '')), '|')"/>
    <xsl:variable name="column" select="substring-before($vital, ';')"/>
    <xsl:variable name="number" select="number((f:valueQuantity[not(f:comparator)]/f:value | f:valueInteger)/@value)"/>
    <xsl:variable name="written"><xsl:apply-templates select="f:valueQuantity" mode="unit"/></xsl:variable>
    <xsl:variable name="time" select="string($whole/@time)"/>
    <xsl:variable name="usable" select="$number &gt; -1000000 and $number &lt; 1000000"/>
    <xsl:variable name="value">
      <xsl:if test="$vital != '' and $usable and $time != ''">
        <xsl:call-template name="converted"><xsl:with-param name="column" select="$column"/><xsl:with-param name="number" select="$number"/><xsl:with-param name="unit" select="$written"/></xsl:call-template>
      </xsl:if>
    </xsl:variable>
    <xsl:variable name="loinc" select="f:code/f:coding[f:system/@value = 'http://loinc.org']"/>
    <xsl:variable name="other" select="not($loinc)"/>
    <xsl:variable name="own-name" select="(f:code/f:text/@value | f:code[not(normalize-space(f:text/@value))]/f:coding/f:display/@value)[normalize-space()][1]"/>
    <!-- A code that is known has a name, also where the sender wrote none. -->
    <xsl:variable name="called"><xsl:value-of select="$own-name"/><xsl:if test="not($own-name)"><xsl:value-of select="substring-before(substring-after(substring-after($vital, ';'), ';'), ';')"/></xsl:if></xsl:variable>
    <xsl:variable name="worded"><xsl:call-template name="result"/></xsl:variable>
    <xsl:variable name="in-words" select="normalize-space(exsl:node-set($worded)/Field[@name = 'value' or @name = 'quantitative_result_value_value'][1])"/>
    <xsl:variable name="type" select="normalize-space(($loinc/f:code/@value | f:code[$other]/f:coding/f:code/@value)[1])"/>
    <xsl:choose>
      <xsl:when test="$value != ''">
        <Reading group="{$whole/@named}|{$time}|{$whole/@state}" date="{$time}" column="{$column}" code="{substring-before(substring-after($vital, ';'), ';')}" value="{$value}"
                 title="{substring-before(substring-after(substring-after($vital, ';'), ';'), ';')}">
          <xsl:copy-of select="$whole/@encounter | $whole/@statement | $whole/@*[starts-with(name(), 'sent-')]"/>
          <xsl:if test="starts-with($column, 'bp_')">
            <xsl:variable name="position" select="substring-after(substring-after(substring-after($vital, ';'), ';'), ';')"/>
            <xsl:attribute name="position">
              <xsl:value-of select="$position"/>
              <xsl:if test="$position = ''"><xsl:value-of select="$whole/@position"/></xsl:if>
            </xsl:attribute>
            <xsl:copy-of select="$whole/@site | $whole/@method"/>
          </xsl:if>
          <xsl:copy-of select="$whole/Field"/>
        </Reading>
      </xsl:when>
      <xsl:when test="f:valueSampledData"><LeftOut model="VitalSigns" reason="not_supported"/></xsl:when>
      <xsl:when test="not(f:valueQuantity/f:value) and $in-words = ''"><LeftOut model="VitalSigns" reason="no_value"/></xsl:when>
      <!-- What is no plain number, or has no code for a column, is kept in words. So is what has the date of its report
           alone, because only notes can say that. -->
      <xsl:when test="not($usable) or $type = '' or string-length($type) > 24 or string-length($written) > 40 or ($time = '' and $result/Field[@name = 'collected_at'] != '')">
        <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'other'"/><xsl:with-param name="concept" select="f:code"/><xsl:with-param name="prefer" select="$loinc-uri"/></xsl:call-template></xsl:variable>
        <xsl:choose>
          <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="VitalSigns" reason="no_code"/></xsl:when>
          <xsl:when test="not($result/Field[@name = 'collected_at'] != '')">
            <xsl:apply-templates select="." mode="LabResult"><xsl:with-param name="whole" select="$result"/><xsl:with-param name="number" select="$place"/></xsl:apply-templates>
          </xsl:when>
          <xsl:otherwise>
            <Model name="VitalSigns">
              <xsl:copy-of select="$result/@id"/>
              <xsl:call-template name="part"><xsl:with-param name="whole" select="$result"/><xsl:with-param name="number" select="$place"/></xsl:call-template>
              <Field name="date"><xsl:value-of select="$result/Field[@name = 'collected_at']"/></Field>
              <xsl:copy-of select="exsl:node-set($named)/Field[@name != 'other_title' or $own-name or $called = '']"/>
              <xsl:if test="not($own-name)"><Field name="other_title"><xsl:value-of select="$called"/></Field></xsl:if>
              <Field name="other_words"><xsl:value-of select="concat($in-words, ' ', exsl:node-set($worded)/Field[@name = 'quantitative_result_value_unit'])"/></Field>
              <Field name="notes">
                <xsl:value-of select="$result[$place = 1 or @often = 'true']/Field[@name = 'notes']"/>
                <xsl:for-each select="f:interpretation"><xsl:text> </xsl:text><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template>.</xsl:for-each>
                <xsl:for-each select="f:referenceRange"><xsl:text> </xsl:text><xsl:apply-templates select="." mode="words"/>.</xsl:for-each>
              </Field>
              <xsl:copy-of select="$whole/Field[@name != 'notes']"/>
            </Model>
          </xsl:otherwise>
        </xsl:choose>
      </xsl:when>
      <xsl:otherwise>
        <Model name="Measurement">
          <xsl:copy-of select="$whole/@id"/>
          <xsl:call-template name="part"><xsl:with-param name="whole" select="$whole"/></xsl:call-template>
          <Field name="type"><xsl:value-of select="$type"/></Field>
          <Field name="name"><xsl:value-of select="substring(normalize-space($called), 1, 255)"/></Field>
          <Field name="value"><xsl:value-of select="$number"/></Field>
          <Field name="unit"><xsl:value-of select="$written"/></Field>
          <Field name="datetime"><xsl:value-of select="$time"/></Field>
          <xsl:copy-of select="$whole/Field[@name != 'notes']"/>
          <Field name="notes">
            <xsl:value-of select="$whole/Field[@name = 'notes']"/>
            <xsl:for-each select="self::f:component/f:interpretation[not(f:coding/f:code/@value = 'N')]"><xsl:text> </xsl:text><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template>.</xsl:for-each>
            <xsl:for-each select="f:referenceRange"><xsl:text> </xsl:text><xsl:apply-templates select="." mode="words"/>.</xsl:for-each>
          </Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The observations that a report names, and the members of those that only hold others together. An observation of
       many parts belongs to the first report that names it only; otherwise many reports about it would become far too
       long. -->
  <xsl:template match="f:result" mode="members">
    <xsl:variable name="named" select="substring-before(concat(f:reference/@value, '/_history/'), '/_history/')"/>
    <xsl:variable name="first" select="generate-id((key('naming-result', string(f:reference/@value)))[1]) = generate-id(f:reference)"/>
    <xsl:variable name="inner" select="(key('resource', concat(generate-id(..), f:reference/@value)))[1][self::f:Observation]"/>
    <xsl:for-each select="$inner | (key('resource', $named)[$older = '' or not(contains($older, concat('|', generate-id(), '|')))])[1][self::f:Observation][not($inner)][$first or not(f:component[21] or f:hasMember[21])]">
      <Member of="{generate-id()}"/>
      <xsl:for-each select="f:hasMember/f:reference">
        <xsl:variable name="inside" select="substring-before(concat(@value, '/_history/'), '/_history/')"/>
        <xsl:for-each select="(key('resource', $inside)[$older = '' or not(contains($older, concat('|', generate-id(), '|')))])[1][self::f:Observation][not(f:component[21])]"><Member of="{generate-id()}"/></xsl:for-each>
      </xsl:for-each>
    </xsl:for-each>
  </xsl:template>

  <!-- Whether a report is from a laboratory: it says so, or it does not say its kind and names results of a
       laboratory. -->
  <xsl:template name="is-laboratory">
    <xsl:variable name="categories" select="f:category/f:coding/f:code/@value"/>
    <xsl:choose>
      <xsl:when test="$categories = 'LAB' or $categories = 'laboratory'">yes</xsl:when>
      <xsl:when test="not(f:category)">
        <xsl:for-each select="f:result/f:reference">
          <xsl:variable name="kind"><xsl:apply-templates select="(key('resource', substring-before(concat(@value, '/_history/'), '/_history/'))[1] | key('resource', concat(generate-id(../..), @value))[1][not(key('resource', substring-before(concat(@value, '/_history/'), '/_history/')))])[self::f:Observation]" mode="kind"/></xsl:variable>
          <xsl:if test="$kind = 'LabResult'">yes</xsl:if>
        </xsl:for-each>
      </xsl:when>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="f:DiagnosticReport" mode="panel">
    <xsl:param name="name"/>
    <xsl:param name="said"/>
    <xsl:variable name="start"><xsl:call-template name="observed"/></xsl:variable>
    <xsl:variable name="end"><xsl:call-template name="time"><xsl:with-param name="value" select="f:effectivePeriod/f:end/@value"/></xsl:call-template></xsl:variable>
    <Model name="LabPanel">
      <xsl:call-template name="identity"/>
      <xsl:copy-of select="$name"/>
      <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="string(f:status/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/diagnostic-report-status'"/></xsl:call-template>
      <Field name="date"><xsl:value-of select="$start"/></Field>
      <xsl:if test="$end != $start"><Field name="end_date"><xsl:value-of select="$end"/></Field></xsl:if>
      <Field name="issued"><xsl:call-template name="time"><xsl:with-param name="value" select="f:issued/@value"/></xsl:call-template></Field>
      <Field name="performer">
        <xsl:for-each select="f:performer">
          <xsl:variable name="who"><xsl:apply-templates select="." mode="called"/></xsl:variable>
          <xsl:if test="position() > 1 and $who != ''">, </xsl:if>
          <xsl:value-of select="$who"/>
        </xsl:for-each>
      </Field>
      <Field name="conclusion"><xsl:value-of select="$said"/></Field>
      <Field name="results"><xsl:apply-templates select="f:result" mode="members"/></Field>
    </Model>
  </xsl:template>

  <!-- A report of a laboratory becomes a panel of results, which are facts of their own. The conclusion of any other
       report becomes a note. -->
  <xsl:template match="f:DiagnosticReport" mode="resource">
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="conclusion" select="string(f:conclusion/@value)"/>
    <xsl:variable name="coded">
      <xsl:for-each select="f:conclusionCode[position() &lt;= 20]"><code><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template></code></xsl:for-each>
    </xsl:variable>
    <xsl:variable name="codes"><xsl:for-each select="exsl:node-set($coded)/code[normalize-space()][not(contains($conclusion, .))]"><xsl:value-of select="concat(substring('; ', 1, 2 * (position() > 1)), .)"/></xsl:for-each></xsl:variable>
    <xsl:variable name="said" select="concat($conclusion, substring(' (', 1, 2 * ($conclusion != '' and $codes != '')), $codes, substring(')', 1, number($conclusion != '' and $codes != '')))"/>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="concept" select="f:code"/><xsl:with-param name="prefer" select="$loinc-uri"/></xsl:call-template></xsl:variable>
    <xsl:variable name="laboratory"><xsl:call-template name="is-laboratory"/></xsl:variable>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="DiagnosticReport" reason="{$general}"/></xsl:when>
      <xsl:when test="$laboratory != '' and exsl:node-set($named)/Field and (f:result or normalize-space($said) != '')">
        <xsl:apply-templates select="." mode="panel">
          <xsl:with-param name="name" select="$named"/>
          <xsl:with-param name="said" select="$said"/>
        </xsl:apply-templates>
        <xsl:apply-templates select="f:presentedForm" mode="unkept"/>
      </xsl:when>
      <xsl:when test="normalize-space($said) != ''">
        <Model name="SimpleClinicalNote">
          <xsl:call-template name="identity"/>
          <Field name="date_of_visit"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:effectiveDateTime/@value | f:effectivePeriod/f:start/@value | self::*[not(f:effectiveDateTime or f:effectivePeriod)]/f:issued/@value)[1]"/></xsl:call-template></Field>
          <!-- A preliminary report is not finished, although it was issued. -->
          <xsl:if test="f:status[@value = 'final' or @value = 'amended' or @value = 'corrected' or @value = 'appended']">
            <Field name="finalized_at"><xsl:call-template name="time"><xsl:with-param name="value" select="f:issued/@value"/></xsl:call-template></Field>
          </xsl:if>
          <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="string(f:status/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/diagnostic-report-status'"/></xsl:call-template>
          <xsl:call-template name="code-of-note"><xsl:with-param name="field" select="'visit_type'"/><xsl:with-param name="concept" select="f:code"/></xsl:call-template>
          <xsl:call-template name="code-of-note"><xsl:with-param name="field" select="'specialty'"/><xsl:with-param name="concept" select="f:category[1]"/></xsl:call-template>
          <Field name="provider_name"><xsl:apply-templates select="f:performer[1]" mode="called"/></Field>
          <Field name="content"><xsl:value-of select="$said"/></Field>
        </Model>
        <xsl:apply-templates select="f:presentedForm" mode="unkept"/>
      </xsl:when>
      <xsl:when test="f:result"><LeftOut model="DiagnosticReport" reason="panel"/></xsl:when>
      <!-- A report that is a file and nothing else is a file. -->
      <xsl:when test="f:presentedForm[f:data/@value != '' or f:url/@value != '']">
        <xsl:variable name="whose"><Of><xsl:call-template name="identity"/></Of></xsl:variable>
        <xsl:variable name="kind"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:code"/></xsl:call-template></xsl:variable>
        <xsl:call-template name="stored-files">
          <xsl:with-param name="forms" select="f:presentedForm[f:data/@value != '' or f:url/@value != '']"/>
          <xsl:with-param name="whose" select="$whose"/>
          <xsl:with-param name="kind" select="$kind"/>
          <xsl:with-param name="when"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:effectiveDateTime/@value | f:effectivePeriod/f:start/@value | self::*[not(f:effectiveDateTime or f:effectivePeriod)]/f:issued/@value)[1]"/></xsl:call-template></xsl:with-param>
        </xsl:call-template>
      </xsl:when>
      <xsl:otherwise><LeftOut model="DiagnosticReport" reason="not_supported"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The codes of a note come from any system, so they have columns of their own names. -->
  <xsl:template name="code-of-note">
    <xsl:param name="field"/>
    <xsl:param name="concept"/>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="concept" select="$concept"/><xsl:with-param name="prefer" select="$loinc-uri"/></xsl:call-template></xsl:variable>
    <xsl:variable name="name" select="exsl:node-set($named)/Field"/>
    <Field name="{$field}"><xsl:value-of select="$name[@name = 'name_title']"/></Field>
    <Field name="{$field}_type"><xsl:value-of select="$name[@name = 'name_system']"/></Field>
    <Field name="{$field}_value"><xsl:value-of select="$name[@name = 'name_identifier']"/></Field>
  </xsl:template>

  <!-- The whole report in a form for viewing, in addition to what was kept of it. -->
  <xsl:template match="f:presentedForm" mode="unkept">
    <xsl:choose>
      <xsl:when test="f:data"><LeftOut model="Attachment" reason="inside"/></xsl:when>
      <xsl:when test="f:url"><LeftOut model="Attachment" reason="not_supported"/></xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ files -->

  <!-- The files of a resource, each in one of its forms. -->
  <xsl:template name="stored-files">
    <xsl:param name="forms"/>
    <xsl:param name="whose"/>
    <xsl:param name="kind"/>
    <xsl:param name="when"/>
    <xsl:param name="called"/>
    <xsl:for-each select="$forms">
      <Model name="StoredFile">
        <xsl:copy-of select="exsl:node-set($whose)/Of/@*"/>
        <Field name="title">
          <xsl:choose>
            <xsl:when test="normalize-space(f:title/@value) != ''"><xsl:value-of select="f:title/@value"/></xsl:when>
            <xsl:when test="$called != ''"><xsl:value-of select="$called"/></xsl:when>
            <xsl:otherwise><xsl:value-of select="concat($kind, substring('Document', 1, 9 * (normalize-space($kind) = '')))"/></xsl:otherwise>
          </xsl:choose>
        </Field>
        <Field name="kind"><xsl:value-of select="$kind"/></Field>
        <Field name="date"><xsl:value-of select="substring($when, 1, 10)"/></Field>
        <Field name="media_type"><xsl:value-of select="f:contentType/@value"/></Field>
        <xsl:choose>
          <xsl:when test="f:data/@value != ''">
            <xsl:variable name="content" select="translate(f:data/@value, ' &#9;&#10;&#13;', '')"/>
            <xsl:variable name="end" select="substring($content, string-length($content) - 1)"/>
            <Field name="bytes"><xsl:value-of select="floor(string-length($content) div 4) * 3 - string-length(translate($end, translate($end, '=', ''), ''))"/></Field>
          </xsl:when>
          <xsl:otherwise>
            <Field name="bytes"><xsl:if test="f:size/@value &gt;= 0 and f:size/@value &lt; 2147483648"><xsl:value-of select="f:size/@value"/></xsl:if></Field>
            <Field name="link"><xsl:value-of select="f:url/@value"/></Field>
          </xsl:otherwise>
        </xsl:choose>
      </Model>
      <xsl:if test="f:data/@value != '' and (contains(f:contentType/@value, 'xml') or contains(f:contentType/@value, 'fhir')) and not(contains(f:contentType/@value, 'xhtml') or contains(f:contentType/@value, 'officedocument'))">
        <LeftOut model="Attachment" reason="document_inside"/>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- One file for each form in which the document exists. -->
  <xsl:template match="f:DocumentReference" mode="resource">
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="forms" select="f:content/f:attachment[f:data/@value != '' or f:url/@value != '']"/>
    <xsl:variable name="kind"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="(f:type | f:category[not(../f:type)])[1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="when"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:context/f:period/f:start/@value | f:date[not(../f:context/f:period/f:start)]/@value)[1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="called" select="normalize-space(f:description/@value)"/>
    <xsl:variable name="whose"><Of><xsl:call-template name="identity"/></Of></xsl:variable>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="DocumentReference" reason="{$general}"/></xsl:when>
      <xsl:when test="f:docStatus/@value = 'entered-in-error'"><LeftOut model="DocumentReference" reason="entered_in_error"/></xsl:when>
      <xsl:when test="not($forms)"><LeftOut model="DocumentReference" reason="no_value"/></xsl:when>
      <xsl:otherwise>
        <!-- A newer document takes its place, as it says itself or the newer one does. -->
        <xsl:variable name="superseded" select="f:status/@value = 'superseded' or key('replacing-document', string(../../f:fullUrl/@value)) or key('replacing-document', concat('DocumentReference/', f:id/@value))"/>
        <xsl:call-template name="stored-files">
          <xsl:with-param name="forms" select="$forms"/>
          <xsl:with-param name="whose" select="$whose"/>
          <xsl:with-param name="kind" select="normalize-space(concat($kind, substring(' (superseded)', 1, 13 * $superseded)))"/>
          <xsl:with-param name="when" select="$when"/>
          <xsl:with-param name="called" select="$called"/>
        </xsl:call-template>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ family, directives, insurance, goals, plans -->

  <!-- A time, an age or words. -->
  <xsl:template name="when-words">
    <xsl:param name="of"/>
    <xsl:variable name="ages"><xsl:call-template name="range-words"><xsl:with-param name="range" select="$of[f:low or f:high]"/></xsl:call-template></xsl:variable>
    <xsl:choose>
      <xsl:when test="$of/@value = 'true'">yes</xsl:when>
      <xsl:when test="$of/@value = 'false'">no</xsl:when>
      <xsl:when test="$of/@value"><xsl:value-of select="$of/@value"/></xsl:when>
      <xsl:when test="$of/f:value"><xsl:value-of select="concat('at the age of ', $of/f:comparator/@value, $of/f:value/@value, ' ')"/><xsl:apply-templates select="$of" mode="age-unit"/></xsl:when>
      <xsl:when test="$ages != ''"><xsl:value-of select="concat('at the age of ', normalize-space($ages))"/></xsl:when>
      <xsl:when test="$of/f:start or $of/f:end"><xsl:value-of select="concat($of/f:start/@value, ' - ', $of/f:end/@value)"/></xsl:when>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="f:FamilyMemberHistory" mode="resource">
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="whose"><Of><xsl:call-template name="identity"/></Of></xsl:variable>
    <xsl:variable name="id" select="exsl:node-set($whose)/Of/@*"/>
    <xsl:variable name="common">
      <xsl:call-template name="named"><xsl:with-param name="field" select="'relation'"/><xsl:with-param name="concept" select="f:relationship"/></xsl:call-template>
      <Field name="relative_name"><xsl:value-of select="f:name/@value"/></Field>
      <xsl:call-template name="named"><xsl:with-param name="field" select="'sex'"/><xsl:with-param name="concept" select="f:sex"/></xsl:call-template>
      <Field name="born"><xsl:call-template name="when-words"><xsl:with-param name="of" select="f:bornDate | f:bornString | f:bornPeriod"/></xsl:call-template></Field>
      <Field name="deceased"><xsl:call-template name="when-words"><xsl:with-param name="of" select="f:deceasedBoolean | f:deceasedAge | f:deceasedRange | f:deceasedDate | f:deceasedString"/></xsl:call-template></Field>
      <Field name="date"><xsl:call-template name="time"><xsl:with-param name="value" select="f:date/@value"/></xsl:call-template></Field>
      <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="string(f:status/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/history-status'"/></xsl:call-template>
    </xsl:variable>
    <xsl:variable name="age"><xsl:call-template name="when-words"><xsl:with-param name="of" select="f:ageAge | f:ageRange | f:ageString"/></xsl:call-template></xsl:variable>
    <xsl:variable name="said">
      <xsl:call-template name="notes"/>
      <xsl:if test="$age != ''"><xsl:value-of select="concat(' Told ', $age, substring(' (estimated)', 1, 12 * (f:estimatedAge/@value = 'true')), '.')"/></xsl:if>
      <xsl:for-each select="f:dataAbsentReason | f:reasonCode"><xsl:text> </xsl:text><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template>.</xsl:for-each>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="FamilyHistory" reason="{$general}"/></xsl:when>
      <xsl:when test="not(exsl:node-set($common)/Field[@name = 'relation_title' or @name = 'relative_name'][. != ''])"><LeftOut model="FamilyHistory" reason="no_code"/></xsl:when>
      <xsl:otherwise>
        <xsl:for-each select="f:condition">
          <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'condition'"/><xsl:with-param name="concept" select="f:code"/><xsl:with-param name="prefer" select="$snomed-uri"/></xsl:call-template></xsl:variable>
          <xsl:variable name="no-illness"><xsl:call-template name="no-illness"><xsl:with-param name="name" select="exsl:node-set($named)/Field"/></xsl:call-template></xsl:variable>
          <xsl:choose>
            <xsl:when test="f:modifierExtension"><LeftOut model="FamilyHistory" reason="modifier_extension"/></xsl:when>
            <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="FamilyHistory" reason="no_code"/></xsl:when>
            <xsl:otherwise>
              <Model name="FamilyHistory">
                <xsl:copy-of select="$id"/>
                <xsl:copy-of select="$common"/>
                <xsl:copy-of select="exsl:node-set($named)/Field[$no-illness = '']"/>
                <Field name="onset"><xsl:call-template name="when-words"><xsl:with-param name="of" select="f:onsetAge | f:onsetRange | f:onsetPeriod | f:onsetString"/></xsl:call-template></Field>
                <xsl:call-template name="named"><xsl:with-param name="field" select="'outcome'"/><xsl:with-param name="concept" select="f:outcome"/></xsl:call-template>
                <Field name="caused_death"><xsl:value-of select="f:contributedToDeath/@value"/></Field>
                <Field name="notes"><xsl:if test="position() = 1"><xsl:value-of select="concat($said, ' ')"/></xsl:if><xsl:value-of select="$no-illness"/><xsl:call-template name="notes"/></Field>
              </Model>
            </xsl:otherwise>
          </xsl:choose>
        </xsl:for-each>
        <xsl:if test="not(f:condition)">
          <Model name="FamilyHistory"><xsl:copy-of select="$id"/><xsl:copy-of select="$common"/><Field name="notes"><xsl:value-of select="$said"/></Field></Model>
        </xsl:if>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A Consent that is an advance directive. Any other, such as one about privacy, has no model. -->
  <xsl:template match="f:Consent" mode="resource">
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words"><xsl:for-each select="f:category/f:text/@value | f:category/f:coding/f:display/@value"><xsl:value-of select="concat(., ' ')"/></xsl:for-each></xsl:with-param></xsl:call-template></xsl:variable>
    <xsl:variable name="directive" select="f:scope/f:coding/f:code/@value = 'adr' or f:category/f:coding/f:code/@value = $tables/directive/@code or contains($spoken, 'resuscit') or contains($spoken, 'advance') or contains($spoken, 'living will') or contains($spoken, 'power of attorney')"/>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="concept" select="(f:category[f:coding/f:code/@value = $tables/directive/@code] | f:category)[1]"/></xsl:call-template></xsl:variable>
    <xsl:choose>
      <xsl:when test="not($directive)"><LeftOut model="Consent" reason="not_supported"/></xsl:when>
      <xsl:when test="$general != ''"><LeftOut model="AdvanceDirective" reason="{$general}"/></xsl:when>
      <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="AdvanceDirective" reason="no_code"/></xsl:when>
      <xsl:otherwise>
        <Model name="AdvanceDirective">
          <xsl:call-template name="identity"/>
          <xsl:copy-of select="$named"/>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'value'"/><xsl:with-param name="concept" select="f:policyRule"/></xsl:call-template>
          <Field name="said">
            <xsl:for-each select="f:provision | f:provision//f:provision">
              <xsl:if test="position() > 1">; </xsl:if>
              <xsl:value-of select="f:type/@value"/>
              <xsl:for-each select="f:action | f:code"><xsl:value-of select="substring(': ', 1, 2 * (position() = 1 and boolean(../f:type)))"/><xsl:if test="position() > 1">, </xsl:if><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template></xsl:for-each>
            </xsl:for-each>
          </Field>
          <Field name="start"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:provision/f:period/f:start/@value | f:dateTime[not(../f:provision/f:period/f:start)]/@value)[1]"/></xsl:call-template></Field>
          <Field name="end"><xsl:call-template name="time"><xsl:with-param name="value" select="f:provision/f:period/f:end/@value"/></xsl:call-template></Field>
          <Field name="agent"><xsl:for-each select="f:provision/f:actor/f:reference"><xsl:if test="position() > 1">, </xsl:if><xsl:apply-templates select="." mode="called"/></xsl:for-each></Field>
          <Field name="verified"><xsl:for-each select="f:verification[f:verified/@value = 'true'][1]"><xsl:apply-templates select="f:verifiedWith" mode="called"/><xsl:value-of select="concat(' ', f:verificationDate/@value)"/></xsl:for-each></Field>
          <Field name="paper"><xsl:value-of select="(f:sourceAttachment/f:title | f:sourceReference/f:display | f:sourceAttachment/f:url)[1]/@value"/></Field>
          <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="string(f:status/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/consent-state-codes'"/></xsl:call-template>
          <Field name="notes"><xsl:for-each select="f:category[position() > 1]"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template>. </xsl:for-each></Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="f:Coverage" mode="resource">
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="insurer"><xsl:for-each select="f:payor"><xsl:if test="position() > 1">, </xsl:if><xsl:apply-templates select="." mode="called"/></xsl:for-each></xsl:variable>
    <xsl:variable name="plan" select="f:class[f:type/f:coding/f:code/@value = 'plan']"/>
    <xsl:variable name="kind"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:type"/></xsl:call-template></xsl:variable>
    <xsl:variable name="payer" select="(exsl:node-set($insurer)[normalize-space(translate(., ',', '')) != ''] | ($plan/f:name | $plan[not(f:name)]/f:value)[1]/@value[normalize-space(translate($insurer, ',', '')) = ''])[1]"/>
    <xsl:variable name="called" select="normalize-space(concat($payer, substring($kind, 1, 200 * (normalize-space($payer) = ''))))"/>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="Coverage" reason="{$general}"/></xsl:when>
      <xsl:when test="$called = ''"><LeftOut model="Coverage" reason="no_code"/></xsl:when>
      <xsl:otherwise>
        <Model name="Coverage">
          <xsl:call-template name="identity"/>
          <Field name="payer"><xsl:value-of select="$called"/></Field>
          <Field name="plan"><xsl:value-of select="($plan/f:name | $plan[not(f:name)]/f:value)[1]/@value"/></Field>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'kind'"/><xsl:with-param name="concept" select="f:type"/></xsl:call-template>
          <Field name="member_id"><xsl:value-of select="(f:subscriberId | f:identifier[not(../f:subscriberId)]/f:value)[1]/@value"/></Field>
          <Field name="group_id"><xsl:value-of select="f:class[f:type/f:coding/f:code/@value = 'group'][1]/f:value/@value"/></Field>
          <Field name="subscriber"><xsl:apply-templates select="(f:subscriber | f:policyHolder)[1]" mode="called"/></Field>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'relationship'"/><xsl:with-param name="concept" select="f:relationship"/></xsl:call-template>
          <Field name="rank"><xsl:value-of select="f:order/@value"/></Field>
          <Field name="start"><xsl:call-template name="time"><xsl:with-param name="value" select="f:period/f:start/@value"/></xsl:call-template></Field>
          <Field name="end"><xsl:call-template name="time"><xsl:with-param name="value" select="f:period/f:end/@value"/></xsl:call-template></Field>
          <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="string(f:status/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/fm-status'"/></xsl:call-template>
          <Field name="notes">
            <xsl:for-each select="f:class[not(f:type/f:coding/f:code/@value = 'plan' or f:type/f:coding/f:code/@value = 'group')]"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:type"/></xsl:call-template><xsl:value-of select="concat(': ', f:value/@value, ' ', f:name/@value, '. ')"/></xsl:for-each>
            <xsl:if test="f:dependent"><xsl:value-of select="concat('Dependent: ', f:dependent/@value, '. ')"/></xsl:if>
            <xsl:if test="f:network"><xsl:value-of select="concat('Network: ', f:network/@value, '.')"/></xsl:if>
          </Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="f:target" mode="words">
    <xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:measure"/></xsl:call-template>
    <xsl:text> </xsl:text>
    <xsl:for-each select="f:detailQuantity"><xsl:value-of select="concat(f:comparator/@value, ' ', f:value/@value, ' ')"/><xsl:apply-templates select="." mode="unit-words"/></xsl:for-each>
    <xsl:call-template name="range-words"><xsl:with-param name="range" select="f:detailRange"/></xsl:call-template>
    <xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:detailCodeableConcept"/></xsl:call-template>
    <xsl:value-of select="(f:detailString | f:detailBoolean | f:detailInteger)/@value"/>
    <xsl:for-each select="f:detailRatio"><xsl:value-of select="concat(f:numerator/f:comparator/@value, f:numerator/f:value/@value, f:numerator/f:unit/@value, ':', f:denominator/f:comparator/@value, f:denominator/f:value/@value, f:denominator/f:unit/@value)"/></xsl:for-each>
    <xsl:if test="f:dueDate"><xsl:value-of select="concat(substring(', ', 1, 2 * boolean(f:measure or f:*[starts-with(local-name(), 'detail')])), 'by ', f:dueDate/@value)"/></xsl:if>
    <xsl:if test="f:dueDuration/f:value"><xsl:value-of select="concat(', within ', f:dueDuration/f:comparator/@value, f:dueDuration/f:value/@value, ' ', (f:dueDuration/f:unit | f:dueDuration[not(f:unit)]/f:code)/@value)"/></xsl:if>
  </xsl:template>

  <xsl:template match="f:Goal" mode="resource">
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'description'"/><xsl:with-param name="concept" select="f:description"/></xsl:call-template></xsl:variable>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="Goal" reason="{$general}"/></xsl:when>
      <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="Goal" reason="no_code"/></xsl:when>
      <xsl:otherwise>
        <xsl:for-each select="f:target[f:modifierExtension]"><LeftOut model="Goal" reason="modifier_extension"/></xsl:for-each>
        <Model name="Goal">
          <xsl:call-template name="identity"/>
          <xsl:copy-of select="$named"/>
          <Field name="target">
            <xsl:for-each select="f:target[not(f:modifierExtension)]">
              <xsl:variable name="one"><xsl:apply-templates select="." mode="words"/></xsl:variable>
              <xsl:value-of select="concat(substring('; ', 1, 2 * (position() > 1)), normalize-space($one))"/>
            </xsl:for-each>
          </Field>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'category'"/><xsl:with-param name="concept" select="f:category[1]"/></xsl:call-template>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'achievement'"/><xsl:with-param name="concept" select="f:achievementStatus"/></xsl:call-template>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'priority'"/><xsl:with-param name="concept" select="f:priority"/></xsl:call-template>
          <Field name="set_by"><xsl:apply-templates select="f:expressedBy" mode="called"/></Field>
          <Field name="start"><xsl:call-template name="time"><xsl:with-param name="value" select="f:startDate/@value"/></xsl:call-template></Field>
          <Field name="target_date"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:target[not(f:modifierExtension)]/f:dueDate/@value)[1]"/></xsl:call-template></Field>
          <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="string(f:lifecycleStatus/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/goal-status'"/></xsl:call-template>
          <Field name="notes">
            <xsl:call-template name="notes"/>
            <xsl:for-each select="f:startCodeableConcept"><xsl:text> From: </xsl:text><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template>.</xsl:for-each>
            <xsl:for-each select="f:statusReason"><xsl:value-of select="concat(' ', @value, '.')"/></xsl:for-each>
            <xsl:for-each select="f:outcomeCode"><xsl:text> Outcome: </xsl:text><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template>.</xsl:for-each>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'About'"/><xsl:with-param name="references" select="f:addresses[position() &lt;= 50]"/></xsl:call-template>
          </Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The activities of a plan, else the plan as a whole in its own words. -->
  <xsl:template match="f:CarePlan" mode="resource">
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="kind"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:category[1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="title" select="concat(f:title/@value, substring($kind, 1, 255 * not(f:title)))"/>
    <xsl:variable name="whose"><Of><xsl:call-template name="identity"/></Of></xsl:variable>
    <xsl:variable name="id" select="exsl:node-set($whose)/Of/@*"/>
    <xsl:variable name="narrative" select="normalize-space(f:text/*[local-name() = 'div'])"/>
    <xsl:variable name="replaced"><xsl:if test="f:status/@value = 'active'"><xsl:call-template name="replaced-by"/></xsl:if></xsl:variable>
    <xsl:variable name="said">
      <xsl:value-of select="f:description/@value"/>
      <xsl:if test="not(f:description) and not(f:activity)"><xsl:value-of select="$narrative"/></xsl:if>
      <xsl:text> </xsl:text>
      <xsl:call-template name="notes"/>
      <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'About'"/><xsl:with-param name="references" select="f:addresses[position() &lt;= 50]"/></xsl:call-template>
      <xsl:if test="$replaced != ''"> The sender’s entry has the status active.</xsl:if>
      <xsl:value-of select="$replaced"/>
      <xsl:apply-templates select="f:replaces[position() &lt;= 50]" mode="prescribed"/>
    </xsl:variable>
    <xsl:variable name="intent"><xsl:call-template name="listed"><xsl:with-param name="field" select="'intent'"/><xsl:with-param name="code" select="string(f:intent/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/request-intent'"/></xsl:call-template></xsl:variable>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="CarePlan" reason="{$general}"/></xsl:when>
      <xsl:otherwise>
        <xsl:for-each select="f:activity">
          <xsl:variable name="first" select="position() = 1"/>
          <xsl:variable name="named-by" select="f:reference/f:reference/@value"/>
          <xsl:variable name="request" select="(key('resource', string($named-by))[1] | key('resource', concat(generate-id(..), $named-by))[1][not(key('resource', string($named-by)))])"/>
          <xsl:variable name="words-else"><w><xsl:choose>
            <xsl:when test="f:detail/f:productReference"><xsl:apply-templates select="f:detail/f:productReference" mode="pointed"/></xsl:when>
            <xsl:otherwise><xsl:value-of select="f:detail/f:description/@value | f:reference[not(../f:detail/f:description)]/f:display/@value"/></xsl:otherwise>
          </xsl:choose></w></xsl:variable>
          <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="concept" select="(f:detail/f:code | f:detail[not(f:code)]/f:productCodeableConcept | $request/f:code | $request/f:medicationCodeableConcept)[1]"/><xsl:with-param name="label" select="exsl:node-set($words-else)/w"/></xsl:call-template></xsl:variable>
          <xsl:variable name="not" select="f:detail/f:doNotPerform/@value = 'true'"/>
          <!-- What becomes of the plan becomes of its activities. -->
          <xsl:variable name="whole-state" select="../f:status[contains('|draft|on-hold|revoked|', concat('|', @value, '|'))]/@value"/>
          <xsl:variable name="is-replaced" select="$replaced != '' and not(f:detail/f:status[@value = 'completed' or @value = 'cancelled' or @value = 'stopped'])"/>
          <xsl:variable name="own-state" select="f:detail/f:status/@value"/>
          <xsl:choose>
            <!-- What the activity points to is a fact of its own. -->
            <xsl:when test="$request and not(f:detail) and (self::f:activity[$request[self::f:ServiceRequest or self::f:MedicationRequest or self::f:Procedure or self::f:Encounter]])"/>
            <xsl:when test="f:modifierExtension"><LeftOut model="CarePlan" reason="modifier_extension"/></xsl:when>
            <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="CarePlan" reason="no_code"/></xsl:when>
            <xsl:otherwise>
              <Model name="CarePlan">
                <xsl:copy-of select="$id"/>
                <xsl:call-template name="plan-name"><xsl:with-param name="named" select="$named"/><xsl:with-param name="not" select="$not"/></xsl:call-template>
                <Field name="kind"><xsl:value-of select="$tables/activity[@kind = current()/f:detail/f:kind/@value]/@title"/></Field>
                <xsl:copy-of select="$intent"/>
                <Field name="plan"><xsl:value-of select="$title"/></Field>
                <Field name="start"><xsl:call-template name="time"><xsl:with-param name="value" select="f:detail/f:scheduledPeriod/f:start/@value"/></xsl:call-template></Field>
                <Field name="end"><xsl:call-template name="time"><xsl:with-param name="value" select="f:detail/f:scheduledPeriod/f:end/@value"/></xsl:call-template></Field>
                <Field name="when_in_words"><xsl:value-of select="f:detail/f:scheduledString/@value"/></Field>
                <Field name="dosage"><xsl:for-each select="f:detail/f:scheduledTiming"><Dosage><timing><xsl:copy-of select="*"/></timing></Dosage></xsl:for-each></Field>
                <Field name="provider"><xsl:for-each select="f:detail/f:performer"><xsl:if test="position() > 1">, </xsl:if><xsl:apply-templates select="." mode="called"/></xsl:for-each></Field>
                <Field name="reason"><xsl:for-each select="f:detail/f:reasonCode"><xsl:if test="position() > 1">, </xsl:if><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template></xsl:for-each></Field>
                <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="concat(substring('revoked', 1, 7 * $is-replaced), substring(($whole-state | $own-state[not($whole-state)] | ../f:status[not($whole-state or $own-state)]/@value)[1], 1, 99 * not($is-replaced)))"/><xsl:with-param name="system" select="'http://hl7.org/fhir/care-plan-activity-status'"/></xsl:call-template>
                <Field name="notes">
                  <xsl:value-of select="f:detail/f:description/@value"/>
                  <xsl:if test="$whole-state and $own-state"><xsl:value-of select="concat(' The status of this activity by itself: ', $own-state, '.')"/></xsl:if>
                  <xsl:if test="f:detail/f:statusReason"><xsl:call-template name="said-of"><xsl:with-param name="label" select="'Reason of the status'"/><xsl:with-param name="concepts" select="f:detail/f:statusReason"/></xsl:call-template></xsl:if>
                  <xsl:if test="f:detail/f:code"><xsl:call-template name="said-of"><xsl:with-param name="label" select="'With'"/><xsl:with-param name="concepts" select="f:detail/f:productCodeableConcept"/></xsl:call-template></xsl:if>
                  <xsl:apply-templates select="f:detail/f:dailyAmount" mode="amount-of"><xsl:with-param name="label" select="'Each day'"/></xsl:apply-templates>
                  <xsl:apply-templates select="f:detail/f:quantity" mode="amount-of"><xsl:with-param name="label" select="'Quantity'"/></xsl:apply-templates>
                  <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Where'"/><xsl:with-param name="references" select="f:detail/f:location"/></xsl:call-template>
                  <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'For'"/><xsl:with-param name="references" select="f:detail/f:reasonReference"/></xsl:call-template>
                  <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Outcome'"/><xsl:with-param name="references" select="f:outcomeReference[f:display]"/></xsl:call-template>
                  <xsl:for-each select="f:progress/f:text"><xsl:value-of select="concat(' ', @value)"/></xsl:for-each>
                  <xsl:for-each select="f:outcomeCodeableConcept"><xsl:text> Outcome: </xsl:text><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template>.</xsl:for-each>
                  <xsl:if test="$first"><xsl:value-of select="concat(' ', $said)"/></xsl:if>
                </Field>
              </Model>
            </xsl:otherwise>
          </xsl:choose>
        </xsl:for-each>
        <xsl:if test="not(f:activity[f:detail])">
          <xsl:choose>
            <xsl:when test="normalize-space(concat($title, $said)) = ''"><LeftOut model="CarePlan" reason="no_code"/></xsl:when>
            <xsl:otherwise>
              <Model name="CarePlan">
                <xsl:copy-of select="$id"/>
                <Field name="name_title"><xsl:value-of select="$title"/><xsl:if test="normalize-space($title) = ''">Care plan</xsl:if></Field>
                <Field name="kind">plan</Field>
                <xsl:copy-of select="$intent"/>
                <Field name="start"><xsl:call-template name="time"><xsl:with-param name="value" select="f:period/f:start/@value"/></xsl:call-template></Field>
                <Field name="end"><xsl:call-template name="time"><xsl:with-param name="value" select="f:period/f:end/@value"/></xsl:call-template></Field>
                <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="concat(substring('revoked', 1, 7 * ($replaced != '')), substring(f:status/@value, 1, 99 * ($replaced = '')))"/><xsl:with-param name="system" select="'http://hl7.org/fhir/request-status'"/></xsl:call-template>
                <Field name="notes"><xsl:value-of select="$said"/></Field>
              </Model>
            </xsl:otherwise>
          </xsl:choose>
        </xsl:if>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- What is not to be done is named so, without the code of what it would be. -->
  <xsl:template name="plan-name">
    <xsl:param name="named"/>
    <xsl:param name="not"/>
    <xsl:if test="not($not)"><xsl:copy-of select="$named"/></xsl:if>
    <xsl:if test="$not"><Field name="name_title"><xsl:value-of select="concat('Not to be done: ', exsl:node-set($named)/Field[@name = 'name_title'])"/></Field></xsl:if>
  </xsl:template>

  <!-- Something that was asked for, such as an X-ray or a visit of a specialist. -->
  <xsl:template match="f:ServiceRequest" mode="resource">
    <xsl:variable name="not" select="f:doNotPerform/@value = 'true'"/>
    <xsl:variable name="always"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="general" select="substring($always, 1, 99 * not($always = 'negated'))"/>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="concept" select="f:code"/></xsl:call-template></xsl:variable>
    <xsl:variable name="categories" select="f:category/f:coding/f:code/@value"/>
    <xsl:variable name="amount"><xsl:apply-templates select="f:quantityQuantity" mode="amount-of"><xsl:with-param name="label" select="'Quantity'"/></xsl:apply-templates></xsl:variable>
    <xsl:variable name="replaced"><xsl:if test="f:status/@value = 'active'"><xsl:call-template name="replaced-by"/></xsl:if></xsl:variable>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="CarePlan" reason="{$general}"/></xsl:when>
      <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="CarePlan" reason="no_code"/></xsl:when>
      <xsl:otherwise>
        <Model name="CarePlan">
          <xsl:call-template name="identity"/>
          <xsl:call-template name="plan-name"><xsl:with-param name="named" select="$named"/><xsl:with-param name="not" select="$not"/></xsl:call-template>
          <Field name="kind">
            <xsl:choose>
              <xsl:when test="$categories = '363679005' or $categories = '108252007' or $categories = 'imaging' or $categories = 'laboratory'">examination</xsl:when>
              <xsl:when test="$categories = '409063005' or $categories = '409073007'">advice</xsl:when>
              <xsl:otherwise>procedure</xsl:otherwise>
            </xsl:choose>
          </Field>
          <xsl:call-template name="listed"><xsl:with-param name="field" select="'intent'"/><xsl:with-param name="code" select="string(f:intent/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/request-intent'"/></xsl:call-template>
          <Field name="start"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:occurrenceDateTime/@value | f:occurrencePeriod/f:start/@value | f:occurrenceTiming[f:event and not(f:repeat)]/f:event[1]/@value)[1]"/></xsl:call-template></Field>
          <Field name="end"><xsl:call-template name="time"><xsl:with-param name="value" select="f:occurrencePeriod/f:end/@value"/></xsl:call-template></Field>
          <Field name="dosage">
            <xsl:if test="f:occurrenceTiming or f:asNeededBoolean/@value = 'true' or f:asNeededCodeableConcept">
              <Dosage>
                <xsl:for-each select="f:occurrenceTiming"><timing><xsl:copy-of select="*"/></timing></xsl:for-each>
                <xsl:copy-of select="f:asNeededBoolean | f:asNeededCodeableConcept"/>
              </Dosage>
            </xsl:if>
          </Field>
          <Field name="provider"><xsl:for-each select="f:performer"><xsl:variable name="who"><xsl:apply-templates select="." mode="called"/></xsl:variable><xsl:if test="position() > 1 and $who != ''">, </xsl:if><xsl:value-of select="$who"/></xsl:for-each></Field>
          <Field name="reason">
            <xsl:for-each select="f:reasonCode"><xsl:if test="position() > 1">, </xsl:if><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template></xsl:for-each>
          </Field>
          <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="concat(substring('revoked', 1, 7 * ($replaced != '')), substring(f:status/@value, 1, 99 * ($replaced = '')))"/><xsl:with-param name="system" select="'http://hl7.org/fhir/request-status'"/></xsl:call-template>
          <Field name="notes">
            <xsl:call-template name="notes"/>
            <xsl:if test="$replaced != ''"> The sender’s entry has the status active.</xsl:if>
            <xsl:value-of select="$replaced"/>
            <xsl:apply-templates select="f:replaces[position() &lt;= 50]" mode="prescribed"/>
            <xsl:call-template name="own-words"><xsl:with-param name="concept" select="f:code"/><xsl:with-param name="title" select="string(exsl:node-set($named)/Field[@name = 'name_title'])"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Detail'"/><xsl:with-param name="concepts" select="f:orderDetail"/></xsl:call-template>
            <xsl:value-of select="$amount"/>
            <xsl:if test="f:priority[@value != 'routine']"><xsl:value-of select="concat(' Priority: ', f:priority/@value, '.')"/></xsl:if>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Site'"/><xsl:with-param name="concepts" select="f:bodySite"/></xsl:call-template>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'For'"/><xsl:with-param name="references" select="f:reasonReference[position() &lt;= 50]"/></xsl:call-template>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Asked for by'"/><xsl:with-param name="references" select="f:requester"/></xsl:call-template>
            <xsl:if test="f:authoredOn/@value"><xsl:value-of select="concat(' Asked for on ', substring(f:authoredOn/@value, 1, 10), '.')"/></xsl:if>
            <xsl:if test="f:patientInstruction/@value"><xsl:value-of select="concat(' ', f:patientInstruction/@value)"/></xsl:if>
          </Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Each answer to a question, with the question; answers inside an answer count by themselves. -->
  <xsl:template match="f:QuestionnaireResponse" mode="resource">
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="whose"><Of><xsl:call-template name="identity"/></Of></xsl:variable>
    <xsl:variable name="id" select="exsl:node-set($whose)/Of/@*"/>
    <xsl:variable name="day"><xsl:call-template name="time"><xsl:with-param name="value" select="f:authored/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="answers" select=".//f:item/f:answer[f:*[starts-with(local-name(), 'value')]]"/>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="QuestionnaireResponse" reason="{$general}"/></xsl:when>
      <xsl:when test="not($answers)"><LeftOut model="QuestionnaireResponse" reason="no_value"/></xsl:when>
      <xsl:otherwise>
        <xsl:for-each select="$answers[position() &lt;= 2000]">
          <xsl:variable name="asked" select="normalize-space((../f:text | ../f:linkId[not(../f:text)])[1]/@value)"/>
          <Model name="LabResult">
            <xsl:copy-of select="$id[name() != 'sent-odd-dates']"/>
            <!-- An odd date of another answer says nothing of this one. -->
            <xsl:if test="$has-odd-dates"><xsl:call-template name="odd-dates"><xsl:with-param name="values" select="ancestor::f:QuestionnaireResponse[1]/f:authored/@value | (f:valueDate | f:valueDateTime)/@value"/></xsl:call-template></xsl:if>
            <Field name="test_name_title"><xsl:value-of select="$asked"/></Field>
            <xsl:call-template name="result"/>
            <Field name="collected_at"><xsl:value-of select="$day"/></Field>
            <Field name="category_identifier">survey</Field>
            <Field name="category_title">Survey</Field>
            <Field name="category_system">http://terminology.hl7.org/CodeSystem/observation-category</Field>
            <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="string(ancestor::f:QuestionnaireResponse[1]/f:status/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/questionnaire-answers-status'"/></xsl:call-template>
            <Field name="notes"><xsl:for-each select="../ancestor::f:item[f:text]"><xsl:value-of select="concat(substring('; ', 1, 2 * (position() > 1)), f:text/@value)"/></xsl:for-each></Field>
          </Model>
        </xsl:for-each>
        <xsl:if test="$answers[2001]"><LeftOut model="QuestionnaireResponse" reason="not_supported"/></xsl:if>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A timing in its own words, and what repeats, each part with its number. -->
  <xsl:template match="*" mode="timing-words">
    <xsl:variable name="repeat" select="f:repeat"/>
    <xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:code"/></xsl:call-template>
    <xsl:for-each select="$repeat[f:frequency or f:period]">
      <xsl:value-of select="concat(' ', f:frequency/@value, substring('1', 1, number(not(f:frequency))), substring(concat(' to ', f:frequencyMax/@value), 1, 99 * boolean(f:frequencyMax)))"/>
      <xsl:if test="f:period"><xsl:value-of select="concat(' in ', f:period/@value, substring(concat(' to ', f:periodMax/@value), 1, 99 * boolean(f:periodMax)), ' ', f:periodUnit/@value)"/></xsl:if>
    </xsl:for-each>
    <xsl:for-each select="$repeat/f:dayOfWeek | $repeat/f:timeOfDay | $repeat/f:when"><xsl:value-of select="concat(substring(', ', 1, 1 + (position() = 1)), ' ', @value)"/></xsl:for-each>
    <xsl:for-each select="$repeat/f:offset"><xsl:value-of select="concat(', ', @value, ' min apart from it')"/></xsl:for-each>
    <xsl:for-each select="$repeat/f:duration"><xsl:value-of select="concat(', for ', @value, substring(concat(' to ', ../f:durationMax/@value), 1, 99 * boolean(../f:durationMax)), ' ', ../f:durationUnit/@value)"/></xsl:for-each>
    <xsl:for-each select="$repeat/f:count"><xsl:value-of select="concat(', ', @value, substring(concat(' to ', ../f:countMax/@value), 1, 99 * boolean(../f:countMax)), ' times in all')"/></xsl:for-each>
    <xsl:for-each select="$repeat/f:boundsDuration[f:value]"><xsl:value-of select="concat(', over ', f:comparator/@value, f:value/@value, ' ', (f:unit | f:code[not(../f:unit)])/@value)"/></xsl:for-each>
    <xsl:for-each select="$repeat/f:boundsRange"><xsl:text>, over </xsl:text><xsl:call-template name="range-words"><xsl:with-param name="range" select="."/></xsl:call-template></xsl:for-each>
    <xsl:for-each select="$repeat/f:boundsPeriod"><xsl:value-of select="concat(substring(concat(', from ', f:start/@value), 1, 99 * boolean(f:start)), substring(concat(' until ', f:end/@value), 1, 99 * boolean(f:end)))"/></xsl:for-each>
    <xsl:for-each select="f:event"><xsl:value-of select="concat(' ', @value)"/></xsl:for-each>
  </xsl:template>

  <!-- ============================================================ devices -->

  <!-- A device of the patient. A device without a patient is used only where others point to it. -->
  <xsl:template match="f:Device" mode="resource">
    <xsl:if test="f:patient">
      <xsl:variable name="only"><xsl:apply-templates select="." mode="only-use"/></xsl:variable>
      <xsl:call-template name="equipment"><xsl:with-param name="device" select="."/><xsl:with-param name="use" select="((key('use-of', string(../../f:fullUrl/@value)))[1] | (key('use-of', concat('Device/', f:id/@value)))[1])[generate-id() = $only]"/></xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- The only statement of how a device is used, if there is one, and it holds. -->
  <xsl:template match="f:Device" mode="only-use">
    <xsl:variable name="url" select="string(../../f:fullUrl/@value)"/>
    <xsl:variable name="relative" select="concat('Device/', f:id/@value)"/>
    <xsl:variable name="uses" select="(key('use-of', $url))[1] | (key('use-of', $relative))[1]"/>
    <xsl:if test="not($uses[2] or (key('use-of', $url))[2] or (key('use-of', $relative))[2])"><xsl:value-of select="generate-id($uses[not(f:status/@value = 'entered-in-error' or f:modifierExtension)])"/></xsl:if>
  </xsl:template>

  <xsl:template match="f:DeviceUseStatement" mode="resource">
    <xsl:variable name="named" select="f:device/f:reference/@value"/>
    <xsl:variable name="device" select="(key('resource', string($named))[1] | key('resource', concat(generate-id(), $named))[1][not(key('resource', string($named)))])[self::f:Device]"/>
    <!-- A device that names the patient is a fact already, which says how it is used, unless it is used more than once. -->
    <xsl:variable name="only"><xsl:apply-templates select="$device" mode="only-use"/></xsl:variable>
    <xsl:if test="not($device/f:patient and ($only = generate-id() or f:status/@value = 'entered-in-error'))">
      <xsl:call-template name="equipment"><xsl:with-param name="device" select="$device"/><xsl:with-param name="use" select="."/></xsl:call-template>
    </xsl:if>
  </xsl:template>

  <xsl:template name="equipment">
    <xsl:param name="device"/>
    <xsl:param name="use" select="/.."/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="type"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="$device/f:type"/></xsl:call-template></xsl:variable>
    <xsl:variable name="name" select="normalize-space(($device/f:deviceName/f:name/@value | $device[not(f:deviceName)]/f:modelNumber/@value[$type = ''] | f:device/f:display/@value[$type = ''])[1])"/>
    <xsl:variable name="called"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="concept" select="$device/f:type"/><xsl:with-param name="label" select="$name"/></xsl:call-template></xsl:variable>
    <xsl:variable name="absence"><xsl:call-template name="absence"><xsl:with-param name="name" select="exsl:node-set($called)/Field"/><xsl:with-param name="model" select="'Equipment'"/></xsl:call-template></xsl:variable>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="Equipment" reason="{$general}"/></xsl:when>
      <xsl:when test="$name = '' and normalize-space($type) = ''"><LeftOut model="Equipment" reason="no_code"/></xsl:when>
      <xsl:when test="$absence != ''"><LeftOut model="Equipment" reason="{$absence}"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="start"><xsl:call-template name="time"><xsl:with-param name="value" select="($use/f:timingPeriod/f:start/@value | $use/f:timingDateTime/@value)[1]"/></xsl:call-template></xsl:variable>
        <xsl:variable name="end"><xsl:call-template name="time"><xsl:with-param name="value" select="$use/f:timingPeriod/f:end/@value"/></xsl:call-template></xsl:variable>
        <!-- A use that is over says more than that the device works. -->
        <xsl:variable name="stated" select="$use | self::*[not($use)]"/>
        <Model name="Equipment">
          <xsl:call-template name="identity"/>
          <Field name="date_started"><xsl:value-of select="substring($start, 1, 10)"/></Field>
          <Field name="date_stopped"><xsl:value-of select="substring($end, 1, 10)"/></Field>
          <Field name="name"><xsl:value-of select="$type"/><xsl:if test="normalize-space($type) = ''"><xsl:value-of select="$name"/></xsl:if></Field>
          <Field name="vendor"><xsl:value-of select="$device/f:manufacturer/@value"/></Field>
          <Field name="description">
            <xsl:if test="normalize-space($type) != '' and $name != ''"><xsl:value-of select="concat($name, ' ')"/></xsl:if>
            <xsl:for-each select="$device/f:deviceName[position() &gt; 1]/f:name/@value"><xsl:value-of select="concat(' Also called: ', ., '.')"/></xsl:for-each>
            <xsl:for-each select="$device/f:udiCarrier[position() &gt; 1]"><xsl:value-of select="concat(' Another identifier: ', (f:carrierHRF/@value | f:deviceIdentifier/@value)[1], '.')"/></xsl:for-each>
            <xsl:for-each select="$device/f:partNumber/@value"><xsl:value-of select="concat(' Part number: ', ., '.')"/></xsl:for-each>
            <xsl:for-each select="$device/f:version/f:value/@value"><xsl:value-of select="concat(' Version: ', ., '.')"/></xsl:for-each>
            <xsl:for-each select="$device/f:identifier[not($device/f:serialNumber)][f:type/f:coding/f:code/@value = 'SNO' or f:type/f:coding/f:code/@value = 'SN']/f:value/@value"><xsl:value-of select="concat(' Serial number: ', ., '.')"/></xsl:for-each>
            <xsl:for-each select="($device/f:manufactureDate | $device/f:expirationDate)/@value">
              <xsl:variable name="day"><xsl:call-template name="time"><xsl:with-param name="value" select="."/></xsl:call-template></xsl:variable>
              <xsl:if test="$day = ''"><xsl:value-of select="concat(substring(' Made on: ', 1, 10 * boolean(parent::f:manufactureDate)), substring(' Use by: ', 1, 9 * boolean(parent::f:expirationDate)), ., '.')"/></xsl:if>
            </xsl:for-each>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Site'"/><xsl:with-param name="concepts" select="$use/f:bodySite"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Reason of the status'"/><xsl:with-param name="concepts" select="$device/f:statusReason"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Safety'"/><xsl:with-param name="concepts" select="$device/f:safety"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'For'"/><xsl:with-param name="concepts" select="$use/f:reasonCode"/></xsl:call-template>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'For'"/><xsl:with-param name="references" select="$use/f:reasonReference"/></xsl:call-template>
            <xsl:for-each select="$use/f:timingTiming"><xsl:text> Used: </xsl:text><xsl:apply-templates select="." mode="timing-words"/>.</xsl:for-each>
            <xsl:for-each select="($use | $device)/f:note/f:text[normalize-space(@value)]"><xsl:value-of select="concat(' ', @value)"/></xsl:for-each>
          </Field>
          <xsl:variable name="made"><xsl:call-template name="time"><xsl:with-param name="value" select="$device/f:manufactureDate/@value"/></xsl:call-template></xsl:variable>
          <xsl:variable name="expires"><xsl:call-template name="time"><xsl:with-param name="value" select="$device/f:expirationDate/@value"/></xsl:call-template></xsl:variable>
          <Field name="udi"><xsl:value-of select="$device/f:udiCarrier[1]/f:carrierHRF/@value"/></Field>
          <Field name="deviceIdentifier"><xsl:value-of select="$device/f:udiCarrier[1]/f:deviceIdentifier/@value"/></Field>
          <Field name="modelNumber"><xsl:value-of select="$device/f:modelNumber/@value"/></Field>
          <Field name="serialNumber"><xsl:value-of select="$device/f:serialNumber/@value"/></Field>
          <Field name="lotNumber"><xsl:value-of select="$device/f:lotNumber/@value"/></Field>
          <Field name="distinctIdentifier"><xsl:value-of select="$device/f:distinctIdentifier/@value"/></Field>
          <Field name="manufactured"><xsl:value-of select="substring($made, 1, 10)"/></Field>
          <Field name="expires"><xsl:value-of select="substring($expires, 1, 10)"/></Field>
          <xsl:call-template name="listed">
            <xsl:with-param name="field" select="'status'"/>
            <xsl:with-param name="code" select="string($stated/f:status/@value)"/>
            <xsl:with-param name="system" select="concat('http://hl7.org/fhir/device-', substring('statement-', 1, 10 * boolean($stated/self::f:DeviceUseStatement)), 'status')"/>
          </xsl:call-template>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ procedures -->

  <!-- The model needs a name, and words without a code are enough. -->
  <xsl:template match="f:Procedure" mode="resource">
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="concept" select="f:code"/><xsl:with-param name="prefer" select="$snomed-uri"/></xsl:call-template></xsl:variable>
    <xsl:variable name="name" select="exsl:node-set($named)/Field"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="undone"><xsl:call-template name="name-says-undone"><xsl:with-param name="names" select="f:code/f:text/@value | f:code/f:coding/f:display/@value"/></xsl:call-template><xsl:call-template name="says-not-given"><xsl:with-param name="remarks" select="f:note/f:text/@value"/><xsl:with-param name="whole" select="true()"/></xsl:call-template></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="f:status/@value = 'not-done'">negated</xsl:when>
        <xsl:when test="f:status/@value = 'preparation'">planned</xsl:when>
        <xsl:when test="not($name)">no_code</xsl:when>
        <xsl:when test="$undone != ''">negated</xsl:when>
        <xsl:otherwise>
          <xsl:variable name="absence"><xsl:call-template name="absence"><xsl:with-param name="name" select="$name"/><xsl:with-param name="model" select="'Procedure'"/></xsl:call-template></xsl:variable>
          <xsl:value-of select="$absence"/>
          <xsl:if test="$absence = ''"><xsl:call-template name="of-relative"><xsl:with-param name="name" select="$name[@name = 'name_title']"/></xsl:call-template></xsl:if>
        </xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Procedure" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="by" select="f:performer[1]/f:actor"/>
        <xsl:variable name="hand" select="(key('resource', string($by/f:reference/@value))[1] | key('resource', concat(generate-id(), $by/f:reference/@value))[1][not(key('resource', string($by/f:reference/@value)))])"/>
        <xsl:variable name="house" select="((key('resource', string(f:performer[1]/f:onBehalfOf/f:reference/@value)))[1] | $hand)[self::f:Organization][1]"/>
        <xsl:variable name="place" select="(key('resource', string(f:location/f:reference/@value))[1] | key('resource', concat(generate-id(), f:location/f:reference/@value))[1][not(key('resource', string(f:location/f:reference/@value)))])[self::f:Location]"/>
        <Model name="Procedure">
          <xsl:call-template name="identity"/>
          <Field name="date_performed"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:performedDateTime/@value | f:performedPeriod/f:start/@value)[1]"/></xsl:call-template></Field>
          <Field name="name"><xsl:value-of select="$name[@name = 'name_title']"/></Field>
          <Field name="name_type"><xsl:value-of select="$name[@name = 'name_system']"/></Field>
          <Field name="name_value"><xsl:value-of select="$name[@name = 'name_identifier']"/></Field>
          <Field name="provider_name">
            <xsl:choose>
              <xsl:when test="$hand[self::f:Practitioner]/f:name"><xsl:apply-templates select="$hand/f:name[1]" mode="words"/></xsl:when>
              <xsl:when test="not($hand[self::f:Organization])"><xsl:value-of select="$by/f:display/@value"/></xsl:when>
            </xsl:choose>
          </Field>
          <Field name="provider_institution"><xsl:value-of select="$house/f:name/@value"/><xsl:if test="not($house)"><xsl:value-of select="f:performer[1]/f:onBehalfOf/f:display/@value"/></xsl:if></Field>
          <Field name="location"><xsl:value-of select="$place/f:name/@value"/><xsl:if test="not($place)"><xsl:value-of select="f:location/f:display/@value"/></xsl:if></Field>
          <Field name="comments">
            <xsl:call-template name="notes"/>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Site'"/><xsl:with-param name="concepts" select="f:bodySite"/></xsl:call-template>
            <xsl:call-template name="own-words"><xsl:with-param name="concept" select="f:code"/><xsl:with-param name="title" select="string($name[@name = 'name_title'])"/></xsl:call-template>
            <xsl:for-each select="f:focalDevice">
              <xsl:variable name="done"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:action"/></xsl:call-template></xsl:variable>
              <xsl:variable name="device"><xsl:apply-templates select="f:manipulated" mode="pointed"/></xsl:variable>
              <xsl:if test="normalize-space(concat($done, $device)) != ''"><xsl:value-of select="concat(' Device: ', normalize-space(concat($device, substring(concat(' (', $done, ')'), 1, 300 * ($done != '')))), '.')"/></xsl:if>
            </xsl:for-each>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Used'"/><xsl:with-param name="concepts" select="f:usedCode"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Outcome'"/><xsl:with-param name="concepts" select="f:outcome"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Complication'"/><xsl:with-param name="concepts" select="f:complication"/></xsl:call-template>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Complication'"/><xsl:with-param name="references" select="f:complicationDetail"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Follow-up'"/><xsl:with-param name="concepts" select="f:followUp"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Reason of the status'"/><xsl:with-param name="concepts" select="f:statusReason"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'For'"/><xsl:with-param name="concepts" select="f:reasonCode"/></xsl:call-template>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'For'"/><xsl:with-param name="references" select="f:reasonReference"/></xsl:call-template>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Used'"/><xsl:with-param name="references" select="f:usedReference"/></xsl:call-template>
            <xsl:if test="f:performedPeriod/f:end/@value and not(f:performedPeriod/f:end/@value = f:performedPeriod/f:start/@value)"><xsl:value-of select="concat(' Until: ', f:performedPeriod/f:end/@value, '.')"/></xsl:if>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Also there'"/><xsl:with-param name="references" select="f:performer[position() > 1][position() &lt;= 50]/f:actor"/></xsl:call-template>
            <xsl:if test="f:performedString"><xsl:value-of select="concat(' Performed: ', f:performedString/@value, '.')"/></xsl:if>
            <xsl:call-template name="age-words"><xsl:with-param name="what" select="'Performed'"/><xsl:with-param name="age" select="f:performedAge"/><xsl:with-param name="range" select="f:performedRange"/></xsl:call-template>
          </Field>
          <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="string(f:status/@value)"/><xsl:with-param name="system" select="'http://hl7.org/fhir/event-status'"/></xsl:call-template>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ encounters -->

  <!-- A kind on the list is written in the list's word; any other kind keeps its code and words. An encounter without a
       kind is an encounter, too. -->
  <xsl:template match="f:Encounter" mode="resource">
    <xsl:variable name="class" select="f:class[not(f:system) or substring-before(substring-after($systems, concat('|', f:system/@value, '=')), '|') = $act-code-uri]/f:code/@value"/>
    <xsl:variable name="types" select="f:type/f:coding[f:system/@value = 'http://snomed.info/sct']/f:code/@value"/>
    <xsl:variable name="billing" select="f:type/f:coding[substring-before(substring-after($systems, concat('|', f:system/@value, '=')), '|') = $cpt-uri]/f:code/@value"/>
    <xsl:variable name="by-class" select="$words/visit[@of = 'act-code'][@code = $class]/@to"/>
    <xsl:variable name="kind" select="($by-class | ($words/visit[@of = 'snomed'][@code = $types] | $words/visits[@first &lt;= $billing and @last &gt;= $billing])[not($by-class)]/@to)[1]"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="f:status/@value = 'planned'">planned</xsl:when>
        <xsl:when test="f:status/@value = 'cancelled'">cancelled</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Encounter" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="where" select="f:location[1]/f:location"/>
        <xsl:variable name="place" select="(key('resource', string($where/f:reference/@value))[1] | key('resource', concat(generate-id(), $where/f:reference/@value))[1][not(key('resource', string($where/f:reference/@value)))])[self::f:Location]"/>
        <xsl:variable name="house" select="(key('resource', string(f:serviceProvider/f:reference/@value))[1] | key('resource', concat(generate-id(), f:serviceProvider/f:reference/@value))[1][not(key('resource', string(f:serviceProvider/f:reference/@value)))])[self::f:Organization]"/>
        <xsl:variable name="typed"><xsl:call-template name="named"><xsl:with-param name="field" select="'encounterType'"/><xsl:with-param name="concept" select="f:type[1]"/></xsl:call-template></xsl:variable>
        <Model name="Encounter" visit="{generate-id()}">
          <xsl:call-template name="identity"/>
          <Field name="startDate"><xsl:call-template name="time"><xsl:with-param name="value" select="f:period/f:start/@value"/></xsl:call-template></Field>
          <Field name="endDate"><xsl:call-template name="time"><xsl:with-param name="value" select="f:period/f:end/@value"/></xsl:call-template></Field>
          <xsl:choose>
            <xsl:when test="$kind">
              <xsl:call-template name="listed">
                <xsl:with-param name="field" select="'encounterType'"/>
                <xsl:with-param name="code" select="string($kind)"/>
                <xsl:with-param name="system" select="concat($list-uri, 'EncounterType#')"/>
              </xsl:call-template>
            </xsl:when>
            <xsl:when test="exsl:node-set($typed)/Field"><xsl:copy-of select="$typed"/></xsl:when>
            <xsl:when test="f:class[not(contains(f:system/@value, 'NullFlavor'))][f:code or f:display]">
              <xsl:call-template name="listed">
                <xsl:with-param name="field" select="'encounterType'"/>
                <xsl:with-param name="code" select="string(f:class/f:code/@value)"/>
                <xsl:with-param name="system" select="string(f:class/f:system/@value)"/>
                <xsl:with-param name="title" select="string(f:class/f:display/@value)"/>
              </xsl:call-template>
            </xsl:when>
            <xsl:otherwise><Field name="encounterType_title">Encounter</Field></xsl:otherwise>
          </xsl:choose>
          <xsl:call-template name="listed">
            <xsl:with-param name="field" select="'status'"/>
            <xsl:with-param name="code" select="string(f:status/@value)"/>
            <xsl:with-param name="system" select="'http://hl7.org/fhir/encounter-status'"/>
          </xsl:call-template>
          <Field name="reason">
            <xsl:for-each select="f:reasonCode | f:reasonReference">
              <xsl:variable name="named" select="string(f:reference/@value)"/>
              <xsl:variable name="found" select="(key('resource', substring-before(concat($named, '/_history/'), '/_history/')))[1][self::f:Condition or self::f:Procedure or self::f:Observation]"/>
              <xsl:variable name="said"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="self::f:reasonCode | $found/f:code"/></xsl:call-template></xsl:variable>
              <xsl:if test="position() > 1 and concat($said, f:display/@value) != ''">; </xsl:if>
              <xsl:value-of select="concat($said, substring(f:display/@value, 1, 300 * (normalize-space($said) = '')))"/>
            </xsl:for-each>
          </Field>
          <Field name="notes">
            <!-- The kind of the list says less than the words of the source. -->
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Type'"/><xsl:with-param name="concepts" select="f:type[$kind or position() > 1 or (f:text and f:coding/f:display)]"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Service'"/><xsl:with-param name="concepts" select="f:serviceType"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Priority'"/><xsl:with-param name="concepts" select="f:priority"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Came from'"/><xsl:with-param name="concepts" select="f:hospitalization/f:admitSource"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Went to'"/><xsl:with-param name="concepts" select="f:hospitalization/f:dischargeDisposition"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Needs'"/><xsl:with-param name="concepts" select="f:hospitalization/f:dietPreference | f:hospitalization/f:specialCourtesy | f:hospitalization/f:specialArrangement"/></xsl:call-template>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Again'"/><xsl:with-param name="concepts" select="f:hospitalization/f:reAdmission"/></xsl:call-template>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Came from'"/><xsl:with-param name="references" select="f:hospitalization/f:origin"/></xsl:call-template>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Went to'"/><xsl:with-param name="references" select="f:hospitalization/f:destination"/></xsl:call-template>
            <xsl:apply-templates select="f:length" mode="amount-of"><xsl:with-param name="label" select="'Length'"/></xsl:apply-templates>
            <xsl:for-each select="f:diagnosis[position() &lt;= 50]">
              <xsl:variable name="condition"><xsl:apply-templates select="f:condition" mode="pointed"/></xsl:variable>
              <xsl:variable name="use"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:use"/></xsl:call-template></xsl:variable>
              <xsl:if test="normalize-space($condition) != '' and (f:condition/f:display or $use != '')"><xsl:value-of select="concat(' Diagnosis: ', normalize-space($condition), substring(concat(' (', $use, ')'), 1, 300 * ($use != '')), '.')"/></xsl:if>
            </xsl:for-each>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Also at'"/><xsl:with-param name="references" select="f:location[position() > 1][position() &lt;= 50]/f:location"/></xsl:call-template>
            <xsl:call-template name="said-by-reference"><xsl:with-param name="label" select="'Also there'"/><xsl:with-param name="references" select="f:participant[f:individual][position() > 1]/f:individual"/></xsl:call-template>
          </Field>
          <Field name="facility_name">
            <xsl:choose>
              <xsl:when test="$place/f:name"><xsl:value-of select="$place/f:name/@value"/></xsl:when>
              <xsl:when test="$where/f:display"><xsl:value-of select="$where/f:display/@value"/></xsl:when>
              <xsl:when test="$house/f:name"><xsl:value-of select="$house/f:name/@value"/></xsl:when>
              <xsl:otherwise><xsl:value-of select="f:serviceProvider/f:display/@value"/></xsl:otherwise>
            </xsl:choose>
          </Field>
          <xsl:apply-templates select="($place/f:address | $house[not($place) and not($where/f:display)]/f:address)[1]"><xsl:with-param name="field" select="'facility_adr'"/></xsl:apply-templates>
          <xsl:apply-templates select="f:participant[f:individual][1]/f:individual[1]" mode="provider"/>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ codes -->

  <!-- The three columns of a concept: a coding of the preferred system, else the first coding of any system, else words
       alone. The words are the coding's name, else the concept's text, else another coding's name, else the label, else
       the code; for states the known word comes first. A text that is longer than any column is cut here already,
       because thousands of facts may share it. -->
  <xsl:template name="named">
    <xsl:param name="field"/>
    <xsl:param name="concept"/>
    <xsl:param name="prefer" select="'none'"/>
    <xsl:param name="label" select="/.."/>
    <xsl:param name="known-first" select="false()"/>
    <!-- Words that take the place of those of the concept. -->
    <xsl:param name="instead"/>
    <xsl:if test="$concept or $instead != '' or $label">
      <!-- A null flavor in the place of a code is no code. -->
      <xsl:variable name="coded" select="$concept/f:coding[f:code/@value != ''][f:code/@value != 'UNK'][not(contains(f:system/@value, 'NullFlavor'))]"/>
      <xsl:variable name="preferred" select="$coded[substring-before(substring-after($systems, concat('|', f:system/@value, '=')), '|') = $prefer]"/>
      <!-- A variable in a predicate would copy all its nodes for each node. -->
      <xsl:variable name="any" select="not($preferred)"/>
      <xsl:variable name="code" select="($preferred | $coded[$any])[1]"/>
      <xsl:variable name="known"><xsl:for-each select="$words"><xsl:value-of select="key('term', $code/f:code/@value)/@title"/></xsl:for-each></xsl:variable>
      <xsl:variable name="title">
        <xsl:choose>
          <xsl:when test="$instead != ''"><xsl:value-of select="$instead"/></xsl:when>
          <xsl:when test="$known-first and $known != ''"><xsl:value-of select="$known"/></xsl:when>
          <xsl:when test="normalize-space($code/f:display/@value)"><xsl:value-of select="$code/f:display/@value"/></xsl:when>
          <xsl:when test="normalize-space($concept/f:text/@value)"><xsl:value-of select="$concept/f:text/@value"/></xsl:when>
          <xsl:when test="$concept/f:coding[normalize-space(f:display/@value)]"><xsl:value-of select="$concept/f:coding[normalize-space(f:display/@value)][1]/f:display/@value"/></xsl:when>
          <xsl:when test="normalize-space($label)"><xsl:value-of select="$label"/></xsl:when>
          <xsl:when test="$known != ''"><xsl:value-of select="$known"/></xsl:when>
          <xsl:otherwise><xsl:value-of select="$code/f:code/@value"/></xsl:otherwise>
        </xsl:choose>
      </xsl:variable>
      <xsl:if test="normalize-space($title)">
        <xsl:if test="$code">
          <xsl:variable name="uri" select="substring-before(substring-after($systems, concat('|', $code/f:system/@value, '=')), '|')"/>
          <xsl:variable name="own" select="generate-id($code)"/>
          <Field name="{$field}_identifier">
            <xsl:if test="$coded[2]">
              <xsl:attribute name="also">
                <xsl:for-each select="$coded[position() &lt;= 10]">
                  <xsl:variable name="its" select="substring-before(substring-after($systems, concat('|', f:system/@value, '=')), '|')"/>
                  <xsl:if test="generate-id() != $own"><xsl:call-template name="also"><xsl:with-param name="system" select="concat($its, substring(f:system/@value, 1, 256 * ($its = '')))"/><xsl:with-param name="code" select="f:code/@value"/></xsl:call-template></xsl:if>
                </xsl:for-each>
              </xsl:attribute>
            </xsl:if>
            <!-- CVX codes have two digits at least -->
            <xsl:if test="$uri = $cvx-uri and string-length($code/f:code/@value) = 1">0</xsl:if>
            <xsl:value-of select="substring($code/f:code/@value, 1, 300)"/>
          </Field>
          <Field name="{$field}_system"><xsl:value-of select="$uri"/><xsl:if test="$uri = ''"><xsl:value-of select="substring($code/f:system/@value, 1, 300)"/></xsl:if></Field>
        </xsl:if>
        <Field name="{$field}_title"><xsl:value-of select="substring(normalize-space($title), 1, 300)"/></Field>
      </xsl:if>
    </xsl:if>
  </xsl:template>

  <!-- A careless sender may have one resource several times. Different content under one address makes a statement
       without an address of its own. -->
  <xsl:template name="identity">
    <xsl:param name="around" select="/.."/>
    <xsl:choose>
      <!-- Inside another resource, an id is unique in that resource only. -->
      <xsl:when test="$around">
        <xsl:variable name="id" select="f:id/@value"/>
        <xsl:for-each select="$around[$id != '']/@*[name() = 'id' or name() = 'statement' or name() = 'sent-as']"><xsl:attribute name="{name()}"><xsl:value-of select="concat(., '#', $id)"/></xsl:attribute></xsl:for-each>
        <xsl:copy-of select="$around[$id != '']/@*[starts-with(name(), 'sent-')][name() != 'sent-as']"/>
      </xsl:when>
      <xsl:otherwise><xsl:call-template name="own-identity"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The sender's id: the address of the resource, its id on a server that numbers versions, an identifier, or what else
       there is. An id alone is one of the sender of the resource, or of the patient as that sender calls them. -->
  <xsl:template name="sent">
    <xsl:variable name="url" select="string(../../f:fullUrl/@value)"/>
    <xsl:variable name="id" select="string(f:id/@value)"/>
    <xsl:variable name="end" select="concat('/', local-name(), '/', $id)"/>
    <xsl:variable name="address" select="starts-with($url, 'http') and $id != '' and substring($url, string-length($url) - string-length($end) + 1) = $end"/>
    <xsl:variable name="identifier" select="f:identifier[f:system/@value != '' and f:value/@value != ''][1]"/>
    <xsl:variable name="versioned" select="$id != '' and (f:meta/f:versionId or f:meta/f:lastUpdated)"/>
    <xsl:variable name="by" select="concat(substring-before(concat(f:meta/f:source/@value, '#'), '#'), substring(normalize-space($custodian), 1, 255 * not(f:meta/f:source)))"/>
    <xsl:choose>
      <xsl:when test="$address">
        <xsl:attribute name="sent-in"><xsl:value-of select="substring($url, 1, string-length($url) - string-length($id) - 1)"/></xsl:attribute>
        <xsl:attribute name="sent-as"><xsl:value-of select="$id"/></xsl:attribute>
        <xsl:attribute name="sent-by"><xsl:value-of select="substring($url, 1, string-length($url) - string-length($end))"/></xsl:attribute>
      </xsl:when>
      <xsl:when test="$identifier and not($versioned)">
        <xsl:attribute name="sent-in"><xsl:value-of select="concat(local-name(), ' ', $identifier/f:system/@value)"/></xsl:attribute>
        <xsl:attribute name="sent-as"><xsl:value-of select="$identifier/f:value/@value"/></xsl:attribute>
      </xsl:when>
      <xsl:when test="$id != '' and $by != ''">
        <xsl:attribute name="sent-in"><xsl:value-of select="local-name()"/></xsl:attribute>
        <xsl:attribute name="sent-as"><xsl:value-of select="$id"/></xsl:attribute>
        <xsl:attribute name="sent-by"><xsl:value-of select="$by"/></xsl:attribute>
      </xsl:when>
      <xsl:when test="$id != ''">
        <xsl:attribute name="sent-in"><xsl:value-of select="concat(local-name(), ' of ', (f:subject | f:patient)[1]/f:reference/@value)"/></xsl:attribute>
        <xsl:attribute name="sent-as"><xsl:value-of select="$id"/></xsl:attribute>
      </xsl:when>
      <xsl:when test="$url != ''">
        <xsl:attribute name="sent-in">urn:ietf:rfc:3986</xsl:attribute>
        <xsl:attribute name="sent-as"><xsl:value-of select="$url"/></xsl:attribute>
      </xsl:when>
    </xsl:choose>
    <xsl:if test="f:meta/f:versionId"><xsl:attribute name="sent-version"><xsl:value-of select="f:meta/f:versionId/@value"/></xsl:attribute></xsl:if>
    <xsl:if test="f:meta/f:lastUpdated"><xsl:attribute name="sent-at"><xsl:call-template name="time"><xsl:with-param name="value" select="f:meta/f:lastUpdated/@value"/><xsl:with-param name="exact" select="true()"/></xsl:call-template></xsl:attribute></xsl:if>
  </xsl:template>

  <!-- What the sender says was never so, beside what is left out for that. -->
  <xsl:template name="taken-back">
    <xsl:param name="why"/>
    <xsl:param name="model"/>
    <xsl:param name="name"/>
    <xsl:if test="$why = 'negated' or $why = 'entered_in_error'">
      <TakenBack model="{$model}" name="{$name}"><xsl:call-template name="sent"/></TakenBack>
    </xsl:if>
  </xsl:template>

  <xsl:template name="own-identity">
    <xsl:call-template name="sent"/>
    <xsl:if test="$has-odd-dates"><xsl:call-template name="odd-dates"><xsl:with-param name="values" select="(. | f:*[not(self::f:contained or self::f:meta)] | f:*[not(self::f:contained or self::f:meta or self::f:text)]//f:*)[substring(local-name(), string-length(local-name()) - 7) = 'DateTime' or substring(local-name(), string-length(local-name()) - 3) = 'Date' or self::f:date or self::f:start or self::f:end or self::f:authoredOn or self::f:whenHandedOver or self::f:issued or self::f:authored or self::f:dateAsserted or self::f:created or self::f:recorded or self::f:effectiveInstant or self::f:lastOccurrence or self::f:onset or self::f:event]/@value"/></xsl:call-template></xsl:if>
    <xsl:variable name="url" select="string(../../f:fullUrl/@value)"/>
    <xsl:variable name="relative" select="concat(local-name(), '/', f:id/@value)"/>
    <xsl:choose>
      <xsl:when test="$url != ''">
        <xsl:variable name="first" select="generate-id((key('resource', $url))[1])"/>
        <xsl:attribute name="id"><xsl:value-of select="$first"/></xsl:attribute>
        <xsl:if test="$first = generate-id() or ($older != '' and contains($older, concat('|', $first, '|')) and not(contains($older, concat('|', generate-id(), '|'))))"><xsl:attribute name="statement"><xsl:value-of select="$url"/></xsl:attribute></xsl:if>
      </xsl:when>
      <xsl:when test="f:id/@value">
        <xsl:attribute name="id"><xsl:value-of select="$relative"/></xsl:attribute>
        <!-- Keys do not find a resource that is posted alone. -->
        <xsl:variable name="before" select="generate-id((key('resource', $relative))[1])"/>
        <xsl:if test="not(parent::f:resource) or $before = generate-id() or ($older != '' and contains($older, concat('|', $before, '|')))">
          <xsl:attribute name="statement"><xsl:value-of select="$relative"/></xsl:attribute>
        </xsl:if>
      </xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ amounts, texts, times, people -->

  <xsl:template name="amount">
    <xsl:param name="field"/>
    <xsl:param name="quantity"/>
    <xsl:if test="$quantity/f:value/@value">
      <Field name="{$field}_value"><xsl:value-of select="$quantity/f:value/@value"/></Field>
      <Field name="{$field}_unit"><xsl:apply-templates select="$quantity" mode="unit"/></Field>
    </xsl:if>
  </xsl:template>

  <!-- The unit of an age in words: nobody reads "a" as years. -->
  <xsl:template match="*" mode="age-unit">
    <xsl:variable name="unit"><xsl:call-template name="unit"/></xsl:variable>
    <xsl:variable name="word" select="$tables/age[@unit = $unit]"/>
    <xsl:value-of select="$word"/>
    <xsl:if test="$word and f:value/@value != 1">s</xsl:if>
    <xsl:if test="not($word)"><xsl:value-of select="(f:unit | self::*[not(f:unit)]/f:code)/@value"/></xsl:if>
  </xsl:template>

  <xsl:template match="f:onsetRange/* | f:abatementRange/* | f:ageRange/* | f:deceasedRange/* | f:referenceRange/f:age/*" mode="unit" priority="1"><xsl:apply-templates select="." mode="age-unit"/></xsl:template>

  <!-- Units that have one meaning, each with one spelling of it. -->
  <xsl:variable name="plain-units" select="'|g=g|gm=g|mg=mg|ug=ug|mcg=ug|&#xB5;g=ug|&#x3BC;g=ug|ng=ng|pg=pg|kg=kg|l=l|dl=dl|ml=ml|cc=ml|g/dl=g/dl|g/l=g/l|mg/ml=g/l|mg/dl=mg/dl|mg/l=mg/l|ug/ml=mg/l|mcg/ml=mg/l|&#xB5;g/ml=mg/l|ug/dl=ug/dl|mcg/dl=ug/dl|&#xB5;g/dl=ug/dl|ug/l=ug/l|mcg/l=ug/l|&#xB5;g/l=ug/l|ng/ml=ug/l|ng/dl=ng/dl|ng/l=ng/l|pg/ml=ng/l|mmol/l=mmol/l|umol/l=umol/l|&#xB5;mol/l=umol/l|&#x3BC;mol/l=umol/l|nmol/l=nmol/l|pmol/l=pmol/l|mmol/mol=mmol/mol|%=%|kpa=kpa|mmhg=mmhg|mm[hg]=mmhg|cel=cel|c=cel|&#xB0;c=cel|[degf]=f|degf=f|f=f|&#xB0;f=f|[lb_av]=lb|lb=lb|lbs=lb|cm=cm|m=m|[in_i]=in|in=in|'"/>
  <!-- Whether the two units of a quantity are different ones: then nobody knows which is meant, and both are told. -->
  <xsl:template name="other-unit">
    <xsl:variable name="said" select="substring-before(substring-after($plain-units, concat('|', translate(f:unit/@value, concat($capitals, ' '), $smalls), '=')), '|')"/>
    <xsl:variable name="coded" select="substring-before(substring-after($plain-units, concat('|', translate(f:code/@value, concat($capitals, ' '), $smalls), '=')), '|')"/>
    <xsl:if test="$said != '' and $coded != '' and $said != $coded">yes</xsl:if>
  </xsl:template>

  <!-- Reasons that say how large the value is. -->
  <xsl:variable name="beyond" select="$words/absent[@flavor = 'PINF' or @flavor = 'NINF']"/>
  <!-- Why there is no value: the words of the source, but those of a person for what only a standard calls so. -->
  <xsl:template name="absent-words">
    <xsl:variable name="own"><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="f:dataAbsentReason"/></xsl:call-template></xsl:variable>
    <xsl:variable name="code" select="f:dataAbsentReason/f:coding/f:code/@value"/>
    <xsl:variable name="usual" select="$words/absent[@code = $code or @flavor = $code][@flavor = $beyond/@flavor or @code = $own or @flavor = $own]"/>
    <xsl:choose>
      <xsl:when test="$usual and not(f:dataAbsentReason/f:text/@value)"><xsl:value-of select="$usual[1]"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="$own"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A value beside which stands why there is none. -->
  <xsl:template name="absent-beside">
    <xsl:if test="f:dataAbsentReason and *[starts-with(local-name(), 'value')][@value or *]"><xsl:call-template name="said-of"><xsl:with-param name="label" select="'Why there is no value'"/><xsl:with-param name="concepts" select="f:dataAbsentReason"/></xsl:call-template></xsl:if>
  </xsl:template>

  <!-- A unit behind a number in a text, in which the unit "1" of a count would read as a digit. -->
  <xsl:template match="*" mode="unit-words">
    <xsl:variable name="unit"><xsl:apply-templates select="." mode="unit"/></xsl:variable>
    <xsl:if test="$unit != '1'"><xsl:value-of select="$unit"/></xsl:if>
  </xsl:template>

  <!-- The UCUM code, else the unit in the form that people write. -->
  <xsl:template match="*" mode="unit" name="unit">
    <xsl:variable name="other"><xsl:if test="f:unit/@value != f:code/@value"><xsl:call-template name="other-unit"/></xsl:if></xsl:variable>
    <xsl:choose>
      <xsl:when test="$other = 'yes'"><xsl:value-of select="concat(f:unit/@value, ' (', f:code/@value, ')')"/></xsl:when>
      <xsl:when test="f:code/@value and (f:system/@value = 'http://unitsofmeasure.org' or not(f:unit))"><xsl:value-of select="f:code/@value"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="f:unit/@value"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="notes">
    <xsl:for-each select="f:note/f:text[normalize-space(@value)]">
      <xsl:if test="position() > 1"><xsl:text> </xsl:text></xsl:if>
      <xsl:value-of select="@value"/>
    </xsl:for-each>
    <xsl:apply-templates select="f:extension[starts-with(@url, $of-hl7)][contains($telling, concat('|', substring-after(@url, $of-hl7), '|'))]" mode="telling"/>
  </xsl:template>

  <!-- Extensions of the standard that add to the meaning of a statement, and the words before them. -->
  <xsl:variable name="of-hl7" select="'http://hl7.org/fhir/StructureDefinition/'"/>
  <xsl:variable name="telling" select="'|condition-dueTo|condition-ruledOut|condition-outcome|condition-occurredFollowing|condition-related|allergyintolerance-certainty|allergyintolerance-duration|allergyintolerance-resolutionAge|allergyintolerance-reasonRefuted|allergyintolerance-substanceExposureRisk|allergyintolerance-assertedDate|familymemberhistory-severity|goal-acceptance|observation-delta|observation-secondaryFinding|observation-reagent|procedure-approachBodyStructure|procedure-causedBy|procedure-method|flag-detail|device-implantStatus|encounter-reasonCancelled|event-statusReason|'"/>
  <xsl:template match="f:extension" mode="telling">
    <xsl:variable name="label" select="substring-after(substring-after(@url, $of-hl7), '-')"/>
    <xsl:variable name="own">
      <xsl:for-each select="f:*[starts-with(local-name(), 'value')] | f:extension/f:*[starts-with(local-name(), 'value')]">
        <xsl:if test="position() > 1">, </xsl:if>
        <xsl:choose>
          <xsl:when test="@value"><xsl:value-of select="@value"/></xsl:when>
          <xsl:when test="f:reference or (f:display and not(f:code))"><xsl:apply-templates select="." mode="pointed"/></xsl:when>
          <xsl:when test="f:value/@value"><xsl:value-of select="concat(f:comparator/@value, f:value/@value, ' ', (f:unit | f:code[not(../f:unit)])/@value)"/></xsl:when>
          <xsl:when test="f:code"><xsl:value-of select="(f:display | f:code[not(../f:display)])/@value"/></xsl:when>
          <xsl:otherwise><xsl:call-template name="concept-words"><xsl:with-param name="concept" select="."/></xsl:call-template></xsl:otherwise>
        </xsl:choose>
      </xsl:for-each>
    </xsl:variable>
    <xsl:variable name="cut"><xsl:call-template name="spaced"><xsl:with-param name="name" select="$label"/></xsl:call-template></xsl:variable>
    <xsl:if test="normalize-space(translate($own, ',', '')) != ''"><xsl:value-of select="concat(' ', $cut, ': ', normalize-space($own), '.')"/></xsl:if>
  </xsl:template>

  <!-- "dueTo" as "Due to". -->
  <xsl:template name="spaced">
    <xsl:param name="name"/>
    <xsl:param name="first" select="true()"/>
    <xsl:variable name="letter" select="substring($name, 1, 1)"/>
    <xsl:choose>
      <xsl:when test="$first"><xsl:value-of select="translate($letter, $smalls, $capitals)"/></xsl:when>
      <xsl:when test="contains($capitals, $letter)"><xsl:value-of select="concat(' ', translate($letter, $capitals, $smalls))"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="$letter"/></xsl:otherwise>
    </xsl:choose>
    <xsl:if test="string-length($name) > 1"><xsl:call-template name="spaced"><xsl:with-param name="name" select="substring($name, 2)"/><xsl:with-param name="first" select="false()"/></xsl:call-template></xsl:if>
  </xsl:template>

  <!-- A year or a month stays one; a fraction is cut to microseconds; a leap second becomes the second before. Years
       outside 1800 to 2199, such as 0001 or 9999, are placeholders and give no date; neither does a text that is no
       date at all. -->
  <xsl:template name="time">
    <xsl:param name="value"/>
    <!-- Whether midnight is a time, which only tells versions of one day apart. -->
    <xsl:param name="exact" select="false()"/>
    <xsl:if test="string($value)">
      <xsl:variable name="text" select="normalize-space($value)"/>
      <xsl:variable name="given" select="substring-before(concat($text, 'T'), 'T')"/>
      <xsl:variable name="day" select="concat($given, substring('0000-01-01', string-length($given) + 1))"/>
      <xsl:variable name="clock" select="substring-after($text, 'T')"/>
      <xsl:variable name="y" select="number(substring($day, 1, 4))"/>
      <xsl:variable name="m" select="number(substring($day, 6, 2))"/>
      <xsl:variable name="d" select="number(substring($day, 9, 2))"/>
      <xsl:variable name="leap" select="number(($y mod 4 = 0 and $y mod 100 != 0) or $y mod 400 = 0)"/>
      <xsl:variable name="days" select="30 + ($m + floor($m div 8)) mod 2 - number($m = 2) * (2 - $leap)"/>
      <xsl:if test="translate($day, $digits, '') = '--' and string-length($day) = 10 and $y &gt;= 1800 and $y &lt;= 2199 and $m &gt;= 1 and $m &lt;= 12 and $d &gt;= 1 and $d &lt;= $days">
        <xsl:variable name="length" select="string-length($given)"/>
        <xsl:value-of select="substring($day, 1, 10 - 6 * ($length = 4) - 3 * ($length = 7))"/>
        <!-- Midnight on the sender's clock is how many write a day. In UTC it could be the day before. -->
        <xsl:variable name="midnight" select="substring($clock, 1, 8) = '00:00:00' and translate(substring-before(concat(translate(substring($clock, 9), '+-', 'ZZ'), 'Z'), 'Z'), '.0', '') = '' and contains(translate($clock, '+-', 'ZZ'), 'Z') and not($exact)"/>
        <xsl:if test="string-length($clock) &gt;= 8 and substring($clock, 1, 2) &lt; 24 and substring($clock, 4, 2) &lt; 60 and substring($clock, 7, 2) &lt;= 60 and not($midnight)">
          <xsl:variable name="rest" select="substring($clock, 9)"/>
          <xsl:variable name="zone" select="concat(substring('Z', 1, contains($rest, 'Z')),
                                                   substring(concat('+', substring-after($rest, '+')), 1, 6 * contains($rest, '+')),
                                                   substring(concat('-', substring-after($rest, '-')), 1, 6 * contains($rest, '-')))"/>
          <xsl:variable name="fraction" select="substring-before(concat(translate(substring-after($rest, '.'), '+-', 'ZZ'), 'Z'), 'Z')"/>
          <xsl:value-of select="concat('T', substring($clock, 1, 6), substring(concat('59', substring($clock, 7, 2)), 1 + 2 * (substring($clock, 7, 2) &lt; 60), 2))"/>
          <xsl:if test="$fraction != ''"><xsl:value-of select="concat('.', substring($fraction, 1, 6))"/></xsl:if>
          <xsl:value-of select="$zone"/>
        </xsl:if>
      </xsl:if>
    </xsl:if>
  </xsl:template>

  <xsl:template match="f:address">
    <xsl:param name="field"/>
    <Field name="{$field}_country"><xsl:value-of select="f:country/@value"/></Field>
    <Field name="{$field}_city"><xsl:value-of select="f:city/@value"/></Field>
    <Field name="{$field}_postalcode"><xsl:value-of select="f:postalCode/@value"/></Field>
    <Field name="{$field}_region"><xsl:value-of select="f:state/@value"/></Field>
    <Field name="{$field}_street">
      <xsl:for-each select="f:line[normalize-space(@value)]">
        <xsl:if test="position() > 1">, </xsl:if>
        <xsl:value-of select="@value"/>
      </xsl:for-each>
      <xsl:if test="not(f:line)"><xsl:value-of select="f:text/@value"/></xsl:if>
    </Field>
  </xsl:template>

  <xsl:template name="person">
    <xsl:param name="field"/>
    <Field name="{$field}_family">
      <xsl:value-of select="f:family/@value"/>
      <xsl:if test="not(f:family) and not(f:given)"><xsl:value-of select="f:text/@value"/></xsl:if>
    </Field>
    <Field name="{$field}_given"><xsl:value-of select="f:given[1]/@value"/></Field>
    <Field name="{$field}_middle"><xsl:value-of select="f:given[2]/@value"/></Field>
    <Field name="{$field}_prefix"><xsl:value-of select="f:prefix[1]/@value"/></Field>
    <Field name="{$field}_suffix"><xsl:value-of select="f:suffix[1]/@value"/></Field>
  </xsl:template>

  <xsl:template match="f:name" mode="words">
    <xsl:choose>
      <xsl:when test="f:text"><xsl:value-of select="f:text/@value"/></xsl:when>
      <xsl:otherwise>
        <xsl:for-each select="f:prefix"><xsl:value-of select="concat(@value, ' ')"/></xsl:for-each>
        <xsl:for-each select="f:given"><xsl:value-of select="concat(@value, ' ')"/></xsl:for-each>
        <xsl:value-of select="f:family/@value"/>
        <xsl:for-each select="f:suffix"><xsl:value-of select="concat(' ', @value)"/></xsl:for-each>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A reference to a Practitioner or a PractitionerRole; if it points to nothing here, its display. The engine
       sometimes finds nothing by the first of a union with keys or an absolute path: one is asked after the other. -->
  <xsl:template match="*" mode="provider">
    <xsl:variable name="entry" select="ancestor::*[parent::f:resource][1]"/>
    <xsl:variable name="around" select="generate-id($entry | /*[not($entry)][not(self::f:Bundle)])"/>
    <xsl:variable name="direct" select="(key('resource', string(f:reference/@value))[1] | key('resource', concat($around, f:reference/@value))[1][not(key('resource', string(f:reference/@value)))])"/>
    <xsl:variable name="behind" select="$direct[self::f:PractitionerRole]/f:practitioner/f:reference/@value"/>
    <xsl:variable name="person" select="key('resource', string($behind))[1]"/>
    <xsl:variable name="who" select="($direct | $person | key('resource', concat($around, $behind))[1][not($person)])[self::f:Practitioner]"/>
    <xsl:variable name="told" select="(f:display | $direct[self::f:PractitionerRole]/f:practitioner/f:display)[1]/@value"/>
    <xsl:if test="not($who)"><Field name="provider_name_family"><xsl:value-of select="$told"/></Field></xsl:if>
    <xsl:for-each select="$who">
      <Field name="provider_npi_number"><xsl:value-of select="f:identifier[f:system/@value = 'http://hl7.org/fhir/sid/us-npi']/f:value/@value"/></Field>
      <Field name="provider_dea_number"><xsl:value-of select="f:identifier[f:system/@value = 'http://terminology.hl7.org/NamingSystem/USDEANumber' or f:system/@value = 'urn:oid:2.16.840.1.113883.4.814']/f:value/@value"/></Field>
      <xsl:for-each select="(f:name[not(f:use/@value = 'old')] | f:name[not(../f:name[not(f:use/@value = 'old')])])[1]"><xsl:call-template name="person"><xsl:with-param name="field" select="'provider_name'"/></xsl:call-template></xsl:for-each>
      <xsl:apply-templates select="f:address[not(f:use/@value = 'old')][1]"><xsl:with-param name="field" select="'provider_adr'"/></xsl:apply-templates>
      <xsl:for-each select="f:telecom[f:system/@value = 'phone'][f:value/@value][not(f:use/@value = 'old')][position() &lt;= 2]">
        <Field name="provider_tel_{position()}_number"><xsl:value-of select="f:value/@value"/></Field>
        <Field name="provider_tel_{position()}_type"><xsl:value-of select="concat(substring('h', 1, f:use/@value = 'home'), substring('w', 1, f:use/@value = 'work'), substring('c', 1, f:use/@value = 'mobile'))"/></Field>
      </xsl:for-each>
      <xsl:variable name="mail" select="f:telecom[f:system/@value = 'email'][not(f:use/@value = 'old')]/f:value/@value"/>
      <xsl:if test="normalize-space($mail) = string($mail) and not(contains($mail, ' ')) and substring-before($mail, '@') != '' and substring-after($mail, '@') != '' and not(contains(substring-after($mail, '@'), '@'))">
        <Field name="provider_email"><xsl:value-of select="$mail"/></Field>
      </xsl:if>
      <Field name="provider_gender"><xsl:value-of select="concat(substring('m', 1, f:gender/@value = 'male'), substring('f', 1, f:gender/@value = 'female'))"/></Field>
      <xsl:if test="string-length(f:birthDate/@value) = 10">
        <Field name="provider_bday"><xsl:call-template name="time"><xsl:with-param name="value" select="f:birthDate/@value"/></xsl:call-template></Field>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>
</xsl:stylesheet>
