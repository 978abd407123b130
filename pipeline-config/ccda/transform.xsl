<?xml version="1.0" encoding="UTF-8"?>
<!-- C-CDA R2.1 to facts. Every entry becomes a draft: a Model, a Reading (one vital sign) or a LeftOut with its reason,
     within the place (At) of its section. ../common/facts.xsl makes facts of these drafts. The tables below say what
     maps to what; README.md explains it in words. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:h="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                xmlns:exsl="http://exslt.org/common" xmlns:str="http://exslt.org/strings" exclude-result-prefixes="h xsi exsl str">
  <xsl:include href="../common/units.xsl"/>
  <xsl:include href="../common/facts.xsl"/>
  <xsl:include href="people.xsl"/>
  <xsl:output method="xml" encoding="UTF-8"/>

  <!-- Narrative to which entries point. -->
  <xsl:key name="narrative" match="/h:ClinicalDocument//*[@ID]" use="@ID"/>
  <!-- Long narrative to which many entries point is used for the first of them only. -->
  <xsl:key name="long" match="/h:ClinicalDocument//*[@ID][string-length() &gt; 2000]" use="@ID"/>
  <xsl:key name="quotes" match="/h:ClinicalDocument//h:reference" use="@value"/>
  <xsl:key name="instance" match="/h:ClinicalDocument//h:id[@root]" use="concat(@root, '|', @extension)"/>
  <xsl:key name="person-id" match="/h:ClinicalDocument/h:recordTarget[not(../h:recordTarget[2])]/h:patientRole/h:id[@root != '']" use="concat(@root, '|', @extension)"/>
  <xsl:key name="encounter-id" match="/h:ClinicalDocument//h:encounter/h:id" use="concat(@root, '|', @extension)"/>

  <!-- Code systems: OIDs of documents. -->
  <xsl:variable name="snomed" select="'2.16.840.1.113883.6.96'"/>
  <xsl:variable name="rxnorm" select="'2.16.840.1.113883.6.88'"/>
  <xsl:variable name="loinc" select="'2.16.840.1.113883.6.1'"/>
  <xsl:variable name="cvx" select="'2.16.840.1.113883.12.292'"/>
  <xsl:variable name="cvx-old" select="'2.16.840.1.113883.6.59'"/>
  <xsl:variable name="ndfrt" select="'2.16.840.1.113883.3.26.1.5'"/>
  <xsl:variable name="unii" select="'2.16.840.1.113883.4.9'"/>
  <!-- The unique device identifiers that the FDA gives. -->
  <xsl:variable name="udi" select="'2.16.840.1.113883.3.3719'"/>
  <xsl:variable name="cpt" select="'2.16.840.1.113883.6.12'"/>
  <xsl:variable name="act-status" select="'http://terminology.hl7.org/CodeSystem/v3-ActStatus'"/>
  <!-- How senders write true and false. -->
  <xsl:variable name="yes" select="'|true|1|TRUE|True|'"/>
  <xsl:variable name="no" select="'|false|0|FALSE|False|'"/>
  <xsl:variable name="has-odd-dates" select="boolean(//h:effectiveTime/descendant-or-self::*[self::h:effectiveTime or self::h:low or self::h:high][substring(@value, 1, 4) &gt; 2199 or substring(@value, 1, 4) &lt; 1800 or substring(@value, 5, 2) &gt; 12 or substring(@value, 7, 2) &gt; 31 or substring(@value, 5, 2) = '00' or substring(@value, 7, 2) = '00' or contains('|0229|0230|0231|0431|0631|0931|1131|', concat('|', substring(@value, 5, 4), '|')) or (substring(@value, 5, 1) = '-' and (substring(@value, 6, 2) &gt; 12 or substring(@value, 9, 2) &gt; 28))])"/>
  <xsl:variable name="digits" select="'0123456789'"/>
  <xsl:variable name="braces" select="'{}'"/>

  <xsl:variable name="tables" select="exsl:node-set($table-rows)"/>
  <!-- The tables that are used most. -->
  <xsl:variable name="statements" select="$tables/statement"/>
  <xsl:variable name="vital-rows"><xsl:for-each select="$words/vital"><xsl:value-of select="concat('|', substring($loinc, 1, 99 * boolean(@from)), substring($snomed, 1, 99 * boolean(@snomed)), ' ', @from, @snomed, '=', @column, ';', @to, ';', @title, ';', @position)"/></xsl:for-each>|</xsl:variable>
  <xsl:variable name="vitals" select="string($vital-rows)"/>
  <xsl:variable name="system-rows"><xsl:for-each select="$tables/system"><xsl:value-of select="concat('|', @oid, '=', @uri)"/></xsl:for-each>|</xsl:variable>
  <xsl:variable name="systems" select="string($system-rows)"/>
  <xsl:variable name="table-rows">
    <!-- What a statement is, by its template (any version): the root after 2.16.840.1.113883.10.20.22.4. -->
    <statement template="3" kind="Problem"/>
    <statement template="4" kind="Problem"/>
    <statement template="33" kind="Problem"/>
    <statement template="34" kind="Problem"/>
    <statement template="51" kind="Problem"/>
    <statement template="65" kind="Problem"/>
    <statement template="80" kind="Problem"/>
    <statement template="132" kind="HealthConcern"/>
    <statement template="50" kind="Equipment"/>
    <statement template="135" kind="Equipment"/>
    <statement template="7" kind="Allergy"/>
    <statement template="30" kind="Allergy"/>
    <statement template="16" kind="Medication"/>
    <statement template="35" kind="Medication"/>
    <statement template="36" kind="Medication"/>
    <statement template="52" kind="Immunization"/>
    <statement template="1" kind="LabResult"/>
    <statement template="2" kind="LabResult"/>
    <statement template="26" kind="VitalSigns"/>
    <statement template="27" kind="VitalSigns"/>
    <statement template="39" kind="CarePlan"/>
    <statement template="40" kind="CarePlan"/>
    <statement template="41" kind="CarePlan"/>
    <statement template="42" kind="CarePlan"/>
    <statement template="43" kind="CarePlan"/>
    <statement template="44" kind="CarePlan"/>
    <statement template="120" kind="CarePlan"/>
    <statement template="45" kind="FamilyHistory"/>
    <statement template="46" kind="FamilyHistory"/>
    <statement template="48" kind="AdvanceDirective"/>
    <statement template="108" kind="AdvanceDirective"/>
    <statement template="60" kind="Coverage"/>
    <statement template="121" kind="Goal"/>
    <statement template="66" kind="FunctionalStatus"/>
    <statement template="67" kind="FunctionalStatus"/>
    <statement template="69" kind="Survey"/>
    <statement template="74" kind="MentalStatus"/>
    <statement template="75" kind="MentalStatus"/>
    <statement template="12" kind="Procedure"/>
    <statement template="13" kind="Procedure"/>
    <statement template="14" kind="Procedure"/>
    <statement template="49" kind="Encounter"/>
    <statement template="38" kind="SocialHistory"/>
    <statement template="78" kind="SocialHistory"/>
    <statement template="85" kind="SocialHistory"/>

    <!-- The kind of the statements in a section, by the section's template (the root after
         2.16.840.1.113883.10.20.22.2., without the .1 of "entries required") or its LOINC code. Kinds without a model
         name what is left out. -->
    <section template="5" code="11450-4" kind="Problem"/>
    <section template="20" code="11348-0" kind="Problem"/>
    <section template="24" code="11535-2" kind="Problem"/>
    <section template="43" code="46241-6" kind="Problem"/>
    <section template="34" code="10219-4" kind="Problem"/>
    <section template="35" code="10218-6" kind="Problem"/>
    <!-- The diagnoses of German letters. -->
    <section code="29548-5" kind="Problem"/>
    <section template="6" code="48765-2" kind="Allergy"/>
    <section code="10155-0" kind="Allergy"/>
    <section template="1" code="10160-0" kind="Medication"/>
    <section template="11" code="10183-2" kind="Medication"/>
    <section template="11" code="75311-1" kind="Medication"/>
    <section template="44" code="42346-7" kind="Medication"/>
    <section template="38" code="29549-3" kind="Medication" given="administration"/>
    <section template="2" code="11369-6" kind="Immunization"/>
    <section template="3" code="30954-2" kind="LabResult"/>
    <!-- The sections of laboratories in documents of IHE, such as those of European portals. -->
    <section code="26436-6" kind="LabResult"/>
    <section code="18717-9" kind="LabResult"/>
    <section code="18718-7" kind="LabResult"/>
    <section code="18719-5" kind="LabResult"/>
    <section code="18720-3" kind="LabResult"/>
    <section code="18721-1" kind="LabResult"/>
    <section code="18723-7" kind="LabResult"/>
    <section code="18724-5" kind="LabResult"/>
    <section code="18725-2" kind="LabResult"/>
    <section code="18727-8" kind="LabResult"/>
    <section code="18728-6" kind="LabResult"/>
    <section code="18729-4" kind="LabResult"/>
    <section code="18767-4" kind="LabResult"/>
    <section code="18768-2" kind="LabResult"/>
    <section template="4" code="8716-3" kind="VitalSigns"/>
    <section template="7" code="47519-4" kind="Procedure"/>
    <section template="22" code="46240-8" kind="Encounter"/>
    <section template="17" code="29762-2" kind="SocialHistory"/>
    <section code="10162-6" kind="SocialHistory"/>
    <section template="15" code="10157-6" kind="FamilyHistory"/>
    <section template="10" code="18776-5" kind="PlanOfTreatment"/>
    <section template="14" code="47420-5" kind="FunctionalStatus"/>
    <section template="56" code="10190-7" kind="MentalStatus"/>
    <section template="23" code="46264-8" kind="Equipment"/>
    <section template="18" code="48768-6" kind="Coverage"/>
    <section template="21" code="42348-3" kind="AdvanceDirective"/>
    <section template="60" code="61146-7" kind="Goal"/>
    <section template="58" code="75310-3" kind="HealthConcern"/>
    <section template="57" code="61144-2" kind="Nutrition"/>
    <section template="45" code="69730-0" kind="Instructions"/>
    <section template="8" code="51848-0" kind="Assessment"/>
    <section template="9" code="51847-2" kind="AssessmentAndPlan"/>
    <section template="12" code="29299-5" kind="ReasonForVisit"/>
    <section template="13" code="46239-0" kind="ChiefComplaint"/>
    <section code="10154-3" kind="ChiefComplaint"/>
    <section code="10164-2" kind="HistoryOfPresentIllness"/>
    <section code="42349-1" kind="ReasonForReferral"/>
    <section code="10187-3" kind="ReviewOfSystems"/>
    <section code="29545-1" kind="PhysicalExam"/>
    <section code="8648-8" kind="HospitalCourse"/>
    <section code="8653-8" kind="DischargeInstructions"/>
    <section code="10184-0" kind="DischargePhysical"/>
    <section code="85847-2" kind="CareTeam"/>

    <!-- Contexts of a finding that say that it is there. -->
    <certain code="410515003"/>
    <certain code="410605003"/>
    <!-- Kinds of problem that are those of relatives, and those that are only feared or over. -->
    <of-family code="416471007"/>
    <of-family code="281666001"/>
    <of-family code="57177007"/>
    <of-family code="54116-9"/>
    <bygone code="417662000"/>
    <bygone code="392521001"/>
    <bygone code="312850006"/>

    <!-- Problems that are the diagnoses of one visit or operation: by the act around them, or by their section. -->
    <diagnosis template="33"/>
    <diagnosis template="34"/>
    <diagnosis template="51"/>
    <diagnosis template="65"/>
    <diagnosis template="80"/>
    <diagnosis section="46241-6"/>
    <diagnosis section="11535-2"/>
    <diagnosis section="10219-4"/>
    <diagnosis section="10218-6"/>

    <!-- What a social history statement with the code "assertion" is about, by its template. -->
    <habit root="2.16.840.1.113883.10.20.22.4.78" code="72166-2" title="Tobacco smoking status"/>
    <habit root="2.16.840.1.113883.10.20.22.4.85" code="11367-0" title="History of Tobacco use"/>
    <habit root="2.16.840.1.113883.10.20.15.3.8" code="82810-3" title="Pregnancy status"/>
    <habit root="2.16.840.1.113883.10.20.22.4.293" code="82810-3" title="Pregnancy status"/>
    <!-- The same, by what is asserted. -->
    <habit value="77386006" code="82810-3" title="Pregnancy status"/>
    <habit value="60001007" code="82810-3" title="Pregnancy status"/>

    <!-- Details that many senders give by their code alone. -->
    <detail code="11778-8" title="Estimated date of delivery"/>
    <detail code="11779-6" title="Estimated date of delivery"/>
    <detail code="11780-4" title="Estimated date of delivery"/>
    <detail code="21908-9" title="Stage"/>
    <detail code="SEV" title="Severity"/>
    <detail code="272741003" title="Laterality"/>
    <detail code="445518008" title="Age at onset"/>

    <!-- Kinds of allergy: the exclusion that is meant when the statement is negated and names no allergen. -->
    <category code="416098002" none="409137002"/>
    <category code="414285001" none="429625007"/>
    <category code="426232007" none="428607008"/>
    <category code="59037007" none="409137002"/>
    <category code="235719002" none="429625007"/>
    <category code="419511003" none="409137002"/>
    <category code="418471000" none="429625007"/>
    <category code="419199007" none="160244002"/>
    <category code="418038007" none="160244002"/>
    <category code="420134006" none="160244002"/>
    <category code="282100009" none="160244002"/>
    <category code="106190000" none="160244002"/>
    <category code="418634005" none="160244002"/>
    <!-- Allergens that name nothing in particular. -->
    <anything code="105590001"/>
    <anything code="410942007"/>
    <anything code="762766007"/>
    <anything code="255620007"/>

    <!-- The usual URIs of code systems, by their OID; others are written as urn:oid. -->
    <system oid="2.16.840.1.113883.6.96" uri="http://purl.bioontology.org/ontology/SNOMEDCT/"/>
    <system oid="2.16.840.1.113883.6.1" uri="http://purl.bioontology.org/ontology/LNC/"/>
    <system oid="2.16.840.1.113883.6.88" uri="http://purl.bioontology.org/ontology/RXNORM/"/>
    <system oid="2.16.840.1.113883.3.26.1.5" uri="http://purl.bioontology.org/ontology/NDFRT/"/>
    <system oid="2.16.840.1.113883.6.209" uri="http://purl.bioontology.org/ontology/NDFRT/"/>
    <system oid="2.16.840.1.113883.4.9" uri="http://fda.gov/UNII/"/>
    <system oid="2.16.840.1.113883.12.292" uri="http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#"/>
    <system oid="2.16.840.1.113883.6.59" uri="http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#"/>
    <system oid="2.16.840.1.113883.6.12" uri="http://purl.bioontology.org/ontology/CPT/"/>
    <system oid="2.16.840.1.113883.6.4" uri="http://purl.bioontology.org/ontology/ICD10PCS/"/>
    <system oid="2.16.840.1.113883.6.285" uri="http://purl.bioontology.org/ontology/HCPCS/"/>
    <system oid="2.16.840.1.113883.6.90" uri="http://hl7.org/fhir/sid/icd-10-cm"/>
    <system oid="2.16.840.1.113883.6.3" uri="http://hl7.org/fhir/sid/icd-10"/>
    <system oid="2.16.840.1.113883.6.103" uri="http://hl7.org/fhir/sid/icd-9-cm"/>
    <system oid="2.16.840.1.113883.6.104" uri="http://hl7.org/fhir/sid/icd-9-cm"/>
    <system oid="2.16.840.1.113883.6.345" uri="http://www.nlm.nih.gov/research/umls/MED-RT"/>
    <system oid="2.16.840.1.113883.6.69" uri="http://hl7.org/fhir/sid/ndc"/>
    <system oid="2.16.840.1.113883.6.73" uri="http://www.whocc.no/atc"/>
    <system oid="2.16.840.1.113883.3.26.1.1" uri="http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl"/>
    <system oid="2.16.840.1.113883.5.4" uri="http://terminology.hl7.org/CodeSystem/v3-ActCode"/>
    <system oid="2.16.840.1.113883.5.8" uri="http://terminology.hl7.org/CodeSystem/v3-ActReason"/>
    <system oid="2.16.840.1.113883.5.14" uri="http://terminology.hl7.org/CodeSystem/v3-ActStatus"/>
    <system oid="2.16.840.1.113883.5.83" uri="http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation"/>
    <system oid="2.16.840.1.113883.5.1063" uri="http://terminology.hl7.org/CodeSystem/v3-ObservationValue"/>

    <!-- Blood pressures of which both numbers are in one text. -->
    <pressures code="55284-4"/>
    <pressures code="85354-9"/>
    <pressures code="35094-2"/>
    <pressures code="75367002"/>

    <!-- Dose units of the NCI Thesaurus. -->
    <dose from="C48542" to="{{tablet}}"/>
    <dose from="C48480" to="{{capsule}}"/>

    <!-- What kinds documents are, by their LOINC code, for those that do not say it in words. -->
    <document code="34133-9" title="Summary of episode note"/>
    <document code="18842-5" title="Discharge summary"/>
    <document code="11488-4" title="Consultation note"/>
    <document code="34117-2" title="History and physical note"/>
    <document code="11504-8" title="Surgical operation note"/>
    <document code="28570-0" title="Procedure note"/>
    <document code="11506-3" title="Progress note"/>
    <document code="57133-1" title="Referral note"/>
    <document code="18761-7" title="Transfer summary note"/>
    <document code="18748-4" title="Diagnostic imaging study"/>
    <document code="52521-2" title="Care plan"/>
    <document code="34109-9" title="Note"/>
  </xsl:variable>

  <!-- ============================================================ the whole document -->

  <xsl:template match="/h:ClinicalDocument">
    <xsl:call-template name="facts">
      <xsl:with-param name="about"><xsl:apply-templates select="." mode="about"/></xsl:with-param>
      <xsl:with-param name="source"><xsl:apply-templates select="." mode="source"/></xsl:with-param>
      <xsl:with-param name="stated"><xsl:apply-templates select="." mode="people"/></xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <xsl:template match="h:ClinicalDocument" mode="drafts">
    <xsl:apply-templates select="h:component/h:structuredBody/h:component/h:section"/>
    <!-- What stands in the place of a time and is none. -->
    <xsl:for-each select="h:component/h:structuredBody/descendant::*[@value][translate(@value, concat($digits, '-+.:TZ '), '') != ''][self::h:effectiveTime or self::h:time or parent::h:effectiveTime or parent::h:time][ancestor::h:entry][not(self::h:period or self::h:width or self::h:offset)]">
      <At where="{concat('section ', substring(normalize-space(ancestor::h:section[1]/h:title), 1, 80), ': ', substring(normalize-space(@value), 1, 80))}"><LeftOut model="ClinicalDocument" reason="no_date"/></At>
    </xsl:for-each>
    <At where="body">
      <xsl:apply-templates select="h:component/h:nonXMLBody/h:text"/>
    </At>
    <At where="header"><xsl:apply-templates select="h:componentOf/h:encompassingEncounter[not(@nullFlavor)]" mode="Encounter"/></At>
  </xsl:template>

  <!-- Who sent the document, which versions of it there are, and of what it has whole lists. -->
  <xsl:template match="h:ClinicalDocument" mode="source">
    <xsl:variable name="house" select="h:custodian/h:assignedCustodian/h:representedCustodianOrganization"/>
    <xsl:variable name="writer" select="h:author/h:assignedAuthor/h:representedOrganization[not($house[h:id/@root != '' or normalize-space(h:name)])]"/>
    <xsl:variable name="organization" select="($house[h:id/@root != '' or normalize-space(h:name)] | $writer)[1]"/>
    <xsl:variable name="parts" select="h:component/h:structuredBody//h:section[not(@nullFlavor)][h:entry]"/>
    <xsl:variable name="adding" select="h:relatedDocument/@typeCode = 'APND' and not(h:relatedDocument/@typeCode = 'RPLC')"/>
    <Source version="{h:versionNumber/@value}" kind="{h:code/@code}" adds="{substring('yes', 1, 3 * $adding)}">
      <xsl:attribute name="sender"><xsl:apply-templates select="($organization/h:id[@root != ''])[1]" mode="instance"/><xsl:if test="not($organization/h:id[@root != ''])"><xsl:value-of select="normalize-space($organization/h:name)"/></xsl:if></xsl:attribute>
      <xsl:attribute name="date"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/@value"/><xsl:with-param name="exact" select="true()"/></xsl:call-template></xsl:attribute>
      <xsl:attribute name="id"><xsl:apply-templates select="h:id[@root != '']" mode="instance"/></xsl:attribute>
      <xsl:attribute name="set"><xsl:apply-templates select="h:setId[@root != '']" mode="instance"/></xsl:attribute>
      <xsl:attribute name="replaces"><xsl:for-each select="h:relatedDocument[@typeCode = 'RPLC']/h:parentDocument/h:id[@root != '']"><xsl:apply-templates select="." mode="instance"/><xsl:text> </xsl:text></xsl:for-each></xsl:attribute>
      <xsl:attribute name="lists">
        <xsl:if test="$parts[h:code/@code = '11450-4' or h:templateId[@root = '2.16.840.1.113883.10.20.22.2.5' or @root = '2.16.840.1.113883.10.20.22.2.5.1']]">Problem </xsl:if>
        <xsl:if test="$parts[h:code/@code = '48765-2' or h:templateId[@root = '2.16.840.1.113883.10.20.22.2.6' or @root = '2.16.840.1.113883.10.20.22.2.6.1']]">Allergy AllergyExclusion </xsl:if>
        <xsl:if test="$parts[h:code/@code = '10160-0' or h:templateId[@root = '2.16.840.1.113883.10.20.22.2.1' or @root = '2.16.840.1.113883.10.20.22.2.1.1']]">Medication </xsl:if>
        <xsl:if test="$parts[h:code/@code = '46264-8' or h:templateId[@root = '2.16.840.1.113883.10.20.22.2.23']]">Equipment </xsl:if>
      </xsl:attribute>
    </Source>
  </xsl:template>

  <!-- A root with its extension, without spaces. -->
  <xsl:template match="*" mode="instance">
    <xsl:value-of select="translate(concat(@root, substring('|', 1, boolean(@extension != '')), @extension), ' &#9;&#10;&#13;', '')"/>
  </xsl:template>

  <!-- What the header says about the whole document. -->
  <xsl:template match="h:ClinicalDocument" mode="about">
    <xsl:variable name="coded" select="(h:code | h:code/h:translation)[@code != '']"/>
    <xsl:variable name="loinc-coded" select="$coded[@codeSystem = $loinc]"/>
    <xsl:variable name="code" select="($loinc-coded | $coded[not($loinc-coded)])[1]"/>
    <xsl:variable name="system" select="substring-before(substring-after($systems, concat('|', $code/@codeSystem, '=')), '|')"/>
    <xsl:variable name="words" select="(h:code/@displayName | h:code/h:originalText | $code/@displayName)[normalize-space()][1]"/>
    <xsl:variable name="kind" select="concat($words, substring($tables/document[@code = $code/@code]/@title, 1, 99 * not($words)))"/>
    <xsl:variable name="care" select="(h:documentationOf/h:serviceEvent/h:effectiveTime[*/@value or @value])[1]"/>
    <About kind="{$kind}" code="{$code/@code}" from="{h:custodian/h:assignedCustodian/h:representedCustodianOrganization/h:name}">
      <xsl:attribute name="title"><xsl:value-of select="h:title"/><xsl:if test="not(normalize-space(h:title))"><xsl:value-of select="$kind"/></xsl:if></xsl:attribute>
      <xsl:if test="$code/@codeSystem != ''"><xsl:attribute name="system"><xsl:value-of select="$system"/><xsl:if test="$system = ''"><xsl:value-of select="concat('urn:oid:', $code/@codeSystem)"/></xsl:if></xsl:attribute></xsl:if>
      <xsl:attribute name="date"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/@value"/></xsl:call-template></xsl:attribute>
      <xsl:attribute name="start"><xsl:call-template name="time"><xsl:with-param name="ts" select="($care/h:low/@value | $care/@value)[1]"/></xsl:call-template></xsl:attribute>
      <xsl:attribute name="end"><xsl:call-template name="time"><xsl:with-param name="ts" select="($care/h:high/@value | $care/@value)[1]"/></xsl:call-template></xsl:attribute>
      <xsl:attribute name="author"><xsl:apply-templates select="(h:author/h:assignedAuthor/h:assignedPerson/h:name[normalize-space()])[1]" mode="words"/></xsl:attribute>
      <xsl:attribute name="author_for"><xsl:value-of select="(h:author/h:assignedAuthor[h:assignedPerson/h:name[normalize-space()]])[1]/h:representedOrganization[not(@nullFlavor)]/h:name"/></xsl:attribute>
      <xsl:for-each select="h:id[@root != ''][not(@nullFlavor)][string-length(concat(@root, @extension)) &lt;= 200][1]">
        <xsl:variable name="root"><xsl:apply-templates select="@root" mode="uri"/></xsl:variable>
        <xsl:attribute name="identifier"><xsl:value-of select="@extension"/><xsl:if test="not(@extension != '')"><xsl:value-of select="$root"/></xsl:if></xsl:attribute>
        <xsl:attribute name="identifier_system"><xsl:if test="@extension != ''"><xsl:value-of select="$root"/></xsl:if><xsl:if test="not(@extension != '')">urn:ietf:rfc:3986</xsl:if></xsl:attribute>
      </xsl:for-each>
      <xsl:for-each select="h:templateId[@root = '2.16.840.1.113883.10.20.22.1.1'][1]">
        <xsl:attribute name="format">urn:hl7-org:sdwg:ccda-<xsl:if test="../h:component/h:nonXMLBody">nonXMLBody</xsl:if><xsl:if test="not(../h:component/h:nonXMLBody)">structuredBody</xsl:if>:<xsl:if test="../h:templateId[@root = '2.16.840.1.113883.10.20.22.1.1']/@extension">2.1</xsl:if><xsl:if test="not(../h:templateId[@root = '2.16.840.1.113883.10.20.22.1.1']/@extension)">1.1</xsl:if></xsl:attribute>
      </xsl:for-each>
      <xsl:for-each select="h:componentOf/h:encompassingEncounter[not(@nullFlavor)]/h:id[@root != ''][@extension != ''][translate(@root, concat($digits, '.'), '') = ''][string-length(concat(@root, @extension)) &lt;= 200][1]">
        <xsl:attribute name="visit"><xsl:value-of select="@extension"/></xsl:attribute>
        <xsl:attribute name="visit_system"><xsl:value-of select="concat('urn:oid:', @root)"/></xsl:attribute>
      </xsl:for-each>
      <!-- The person whose health the document is about. Several people are named with semicolons between them, and
           somebody is asked whether the document belongs to the record. -->
      <xsl:variable name="people"><xsl:for-each select="h:recordTarget/h:patientRole/h:patient"><who><xsl:apply-templates select="(h:name[normalize-space()])[1]" mode="words"/><xsl:value-of select="concat('|', substring(h:birthTime/@value, 1, 8))"/></who></xsl:for-each></xsl:variable>
      <xsl:variable name="who" select="exsl:node-set($people)/who"/>
      <xsl:variable name="several" select="boolean($who[. != $who[1]])"/>
      <xsl:if test="$several">
        <xsl:attribute name="subject">
          <xsl:for-each select="$who[not(. = preceding-sibling::who)]"><xsl:value-of select="concat(substring('; ', 1, 2 * (position() > 1)), translate(substring-before(., '|'), ';', ','), substring('?', 1, starts-with(., '|')))"/></xsl:for-each>
        </xsl:attribute>
      </xsl:if>
      <xsl:for-each select="h:recordTarget[not($several)][1]/h:patientRole/h:patient">
        <xsl:attribute name="subject"><xsl:apply-templates select="(h:name[normalize-space()])[1]" mode="words"/></xsl:attribute>
        <xsl:variable name="born"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:birthTime/@value"/></xsl:call-template></xsl:variable>
        <xsl:if test="string-length(h:birthTime/@value) &gt;= 8"><xsl:attribute name="born"><xsl:value-of select="substring($born, 1, 10)"/></xsl:attribute></xsl:if>
      </xsl:for-each>
    </About>
  </xsl:template>

  <!-- A body that is no XML is a file: its name, its date, and its size or its address. -->
  <xsl:template match="h:nonXMLBody/h:text">
    <xsl:variable name="whole" select="/h:ClinicalDocument"/>
    <xsl:variable name="kind" select="normalize-space(($whole/h:code/@displayName | $whole/h:code[not(@displayName)]/h:originalText | $whole/h:code[not(@displayName)]/h:translation/@displayName)[1])"/>
    <xsl:variable name="title" select="normalize-space($whole/h:title)"/>
    <xsl:variable name="when"><xsl:call-template name="time"><xsl:with-param name="ts" select="$whole/h:effectiveTime/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="content" select="translate(., ' &#9;&#10;&#13;', '')"/>
    <xsl:variable name="link" select="normalize-space(h:reference/@value)"/>
    <xsl:choose>
      <xsl:when test="$content = '' and $link = ''"><LeftOut model="ClinicalDocument" reason="no_value"/></xsl:when>
      <xsl:otherwise>
        <Model name="StoredFile">
          <Field name="title">
            <xsl:value-of select="$title"/>
            <xsl:if test="$title = ''"><xsl:value-of select="concat($kind, substring('Document', 1, 9 * ($kind = '')))"/></xsl:if>
          </Field>
          <Field name="kind"><xsl:if test="$kind != $title"><xsl:value-of select="$kind"/></xsl:if></Field>
          <Field name="date"><xsl:value-of select="substring($when, 1, 10)"/></Field>
          <Field name="media_type">
            <xsl:value-of select="@mediaType"/>
            <!-- The default of the standard. A link may lead to anything. -->
            <xsl:if test="not(@mediaType) and $content != ''">text/plain</xsl:if>
          </Field>
          <xsl:if test="@representation = 'B64' and not(@compression) and $content != ''">
            <xsl:variable name="end" select="substring($content, string-length($content) - 1)"/>
            <Field name="bytes"><xsl:value-of select="floor(string-length($content) div 4) * 3 - string-length(translate($end, translate($end, '=', ''), ''))"/></Field>
          </xsl:if>
          <Field name="link"><xsl:if test="$content = ''"><xsl:value-of select="$link"/></xsl:if></Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The section's template takes precedence over its code. Text without entries counts as one thing left out. -->
  <xsl:template match="h:section">
    <!-- The kind of the section around it. A part of a section that does not say of which kind it is is of that kind. -->
    <xsl:param name="kind-around" select="'OtherSection'"/>
    <xsl:param name="given-around"/>
    <xsl:variable name="parent" select="'2.16.840.1.113883.10.20.22.2.'"/>
    <xsl:variable name="numbers">
      <xsl:for-each select="h:templateId[starts-with(@root, $parent)]">
        <n><xsl:value-of select="substring-before(concat(substring-after(@root, $parent), '.'), '.')"/></n>
      </xsl:for-each>
    </xsl:variable>
    <xsl:variable name="code" select="(h:code | h:code/h:translation)[@codeSystem = $loinc or not(@codeSystem)]/@code"/>
    <xsl:variable name="row" select="$tables/section[@code = $code] | $tables/section[@template = exsl:node-set($numbers)/n][not($tables/section[@code = $code])]"/>
    <xsl:variable name="kind">
      <xsl:value-of select="$row[1]/@kind"/>
      <xsl:if test="not($row)"><xsl:value-of select="$kind-around"/></xsl:if>
    </xsl:variable>
    <xsl:variable name="given"><xsl:value-of select="$row[1]/@given"/><xsl:if test="not($row)"><xsl:value-of select="$given-around"/></xsl:if></xsl:variable>
    <xsl:variable name="title" select="normalize-space(h:title)"/>
    <At>
      <xsl:attribute name="where">
        <xsl:choose>
          <xsl:when test="$title != ''"><xsl:value-of select="concat('section ', substring($title, 1, 80))"/></xsl:when>
          <xsl:otherwise><xsl:value-of select="concat('section ', h:code/@code)"/></xsl:otherwise>
        </xsl:choose>
      </xsl:attribute>
      <xsl:apply-templates select="h:entry">
        <xsl:with-param name="section-kind" select="string($kind)"/>
        <xsl:with-param name="given" select="string($given)"/>
      </xsl:apply-templates>
      <xsl:if test="not(h:entry) and not(@nullFlavor) and normalize-space(h:text)">
        <LeftOut model="{$kind}" reason="narrative_only"/>
      </xsl:if>
      <xsl:if test="contains($row-kinds, concat('|', $kind, '|'))"><xsl:call-template name="rows-without-entry"><xsl:with-param name="kind" select="$kind"/></xsl:call-template></xsl:if>
    </At>
    <xsl:apply-templates select="h:component/h:section">
      <xsl:with-param name="kind-around" select="string($kind)"/>
      <xsl:with-param name="given-around" select="string($given)"/>
    </xsl:apply-templates>
  </xsl:template>

  <!-- Rows of the text to which no entry leads, where entries lead to others and there are fewer statements than rows. -->
  <xsl:variable name="row-kinds" select="'|Problem|Allergy|Medication|Immunization|Procedure|'"/>
  <xsl:template name="rows-without-entry">
    <xsl:param name="kind"/>
    <xsl:variable name="rows" select="(h:text/h:table/h:tbody/h:tr[h:td[1][normalize-space()]] | h:text/h:list/h:item)[normalize-space()]"/>
    <xsl:variable name="left" select="count($rows) - count(h:entry[not(h:act or h:organizer)] | h:entry/h:act[not(h:entryRelationship)] | h:entry/h:act/h:entryRelationship/* | h:entry/h:organizer/h:component/*)"/>
    <xsl:if test="h:entry and $left &gt; 0">
      <xsl:variable name="bare" select="$rows[not(descendant-or-self::*[@ID][key('quotes', concat('#', @ID)) or key('quotes', @ID)])]"/>
      <xsl:if test="count($bare) &lt; count($rows)"><xsl:for-each select="$bare[position() &lt;= $left]"><LeftOut model="{$kind}" reason="narrative_only"/></xsl:for-each></xsl:if>
    </xsl:if>
  </xsl:template>

  <!-- What the statement is: by its own template, else by its section. -->
  <xsl:template match="h:entry">
    <xsl:param name="section-kind"/>
    <xsl:param name="given"/>
    <xsl:variable name="statement" select="h:act | h:encounter | h:observation | h:observationMedia | h:organizer | h:procedure
                                         | h:regionOfInterest | h:substanceAdministration | h:supply"/>
    <xsl:variable name="by-template">
      <xsl:for-each select="$statement/h:templateId[starts-with(@root, '2.16.840.1.113883.10.20.22.4.')]">
        <xsl:value-of select="concat($statements[@template = substring-after(current()/@root, '22.4.')]/@kind, ' ')"/>
      </xsl:for-each>
      <xsl:if test="$statement/h:templateId/@root = '2.16.840.1.113883.10.20.15.3.8' and $section-kind != 'Problem'">SocialHistory </xsl:if>
    </xsl:variable>
    <xsl:variable name="own" select="substring-before(concat(normalize-space($by-template), ' '), ' ')"/>
    <!-- What is meant to be taken is a prescription in a list of medicines, and a plan in a section of plans. -->
    <xsl:variable name="of-plan" select="($section-kind = 'PlanOfTreatment' or $section-kind = 'CarePlan' or $section-kind = 'AssessmentAndPlan') and $own = 'Medication' and contains('|INT|PRP|PRMS|ARQ|', concat('|', $statement/@moodCode, '|'))"/>
    <xsl:variable name="kind" select="concat(substring($own, 1, 99 * not($of-plan)), substring($section-kind, 1, string-length($section-kind) * ($own = '' or $of-plan)))"/>
    <xsl:choose>
      <xsl:when test="not($statement) or @nullFlavor or $statement/@nullFlavor"><LeftOut model="{$kind}" reason="no_information"/></xsl:when>
      <!-- A history of the family is about others. -->
      <xsl:when test="$kind = 'FamilyHistory'"><xsl:apply-templates select="$statement" mode="FamilyHistory"/></xsl:when>
      <xsl:when test="$kind = 'Problem' and ($statement | $statement/h:entryRelationship/h:observation)/h:code/@code = $tables/of-family/@code"><xsl:apply-templates select="$statement/self::h:observation | $statement/h:entryRelationship/h:observation" mode="FamilyHistory"/></xsl:when>
      <xsl:when test="$statement/h:subject or ../h:subject"><LeftOut model="{$kind}" reason="other_person"/></xsl:when>
      <xsl:when test="$kind = 'Problem'"><xsl:apply-templates select="$statement" mode="Problem"/></xsl:when>
      <xsl:when test="$kind = 'HealthConcern'"><xsl:apply-templates select="$statement" mode="HealthConcern"/></xsl:when>
      <xsl:when test="$kind = 'Allergy'"><xsl:apply-templates select="$statement" mode="Allergy"/></xsl:when>
      <xsl:when test="$kind = 'Medication'">
        <xsl:apply-templates select="$statement" mode="Medication"><xsl:with-param name="given" select="$given"/></xsl:apply-templates>
      </xsl:when>
      <xsl:when test="$kind = 'Immunization'"><xsl:apply-templates select="$statement" mode="Immunization"/></xsl:when>
      <xsl:when test="$kind = 'LabResult'"><xsl:apply-templates select="$statement" mode="LabResult"/></xsl:when>
      <xsl:when test="$kind = 'VitalSigns'"><xsl:apply-templates select="$statement" mode="VitalSigns"/></xsl:when>
      <xsl:when test="$kind = 'Procedure'"><xsl:apply-templates select="$statement" mode="Procedure"/></xsl:when>
      <xsl:when test="$kind = 'Encounter'"><xsl:apply-templates select="$statement" mode="Encounter"/></xsl:when>
      <xsl:when test="$kind = 'Equipment'"><xsl:apply-templates select="$statement" mode="Equipment"/></xsl:when>
      <xsl:when test="$kind = 'SocialHistory'"><xsl:apply-templates select="$statement" mode="SocialHistory"/></xsl:when>
      <xsl:when test="$kind = 'AdvanceDirective'"><xsl:apply-templates select="$statement" mode="AdvanceDirective"/></xsl:when>
      <xsl:when test="$kind = 'Coverage'"><xsl:apply-templates select="$statement" mode="Coverage"/></xsl:when>
      <xsl:when test="$kind = 'Goal'"><xsl:apply-templates select="$statement" mode="Goal"/></xsl:when>
      <xsl:when test="$kind = 'CarePlan' or $kind = 'PlanOfTreatment' or $kind = 'AssessmentAndPlan'"><xsl:apply-templates select="$statement" mode="CarePlan"><xsl:with-param name="kind" select="string($kind)"/></xsl:apply-templates></xsl:when>
      <xsl:when test="$kind = 'Survey' or $kind = 'FunctionalStatus' or $kind = 'MentalStatus' or $kind = 'Nutrition'">
        <xsl:apply-templates select="$statement" mode="Survey"><xsl:with-param name="kind" select="string($kind)"/></xsl:apply-templates>
      </xsl:when>
      <xsl:otherwise><LeftOut model="{$kind}" reason="not_supported"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Why a statement is no fact, whatever it is about; empty when nothing speaks against it. What the act around it
       says also applies to it. -->
  <xsl:template match="*" mode="why">
    <xsl:param name="negated-too" select="false()"/>
    <xsl:param name="intended-too" select="false()"/>
    <xsl:variable name="whole" select=". | ancestor::h:act[1]"/>
    <xsl:variable name="moods" select="$whole/@moodCode[translate(., 'evn', 'EVN') != 'EVN']"/>
    <xsl:choose>
      <xsl:when test="@nullFlavor">no_information</xsl:when>
      <xsl:when test="h:subject">other_person</xsl:when>
      <!-- Nobody can tell whether it is so or not. -->
      <xsl:when test="$whole/@negationInd[. != ''][not(contains(concat($yes, $no), concat('|', ., '|')))]">unreadable_negation</xsl:when>
      <xsl:when test="$whole/@negationInd[contains($yes, concat('|', ., '|'))] and not($negated-too)">negated</xsl:when>
      <xsl:when test="$whole/h:statusCode/@code = 'nullified'">entered_in_error</xsl:when>
      <xsl:when test="$moods[not($intended-too and (. = 'INT' or . = 'RQO'))]">planned</xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- What says outright that there are no problems or medicines, or denies "a problem" or "a medicine" by itself. -->
  <xsl:template name="none-here">
    <xsl:param name="name"/>
    <xsl:param name="model"/>
    <xsl:param name="ended" select="/.."/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"><xsl:with-param name="negated-too" select="true()"/></xsl:apply-templates></xsl:variable>
    <xsl:variable name="remarks"><xsl:apply-templates select="." mode="comments"/></xsl:variable>
    <xsl:if test="$general = '' and not($ended)">
      <xsl:call-template name="none-known">
        <xsl:with-param name="name" select="$name"/>
        <xsl:with-param name="model" select="$model"/>
        <xsl:with-param name="beside" select="$remarks"/>
        <xsl:with-param name="negated" select="(. | ancestor::h:act[1])/@negationInd[contains($yes, concat('|', ., '|'))]"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- ============================================================ problems -->

  <xsl:template match="*" mode="Problem"><LeftOut model="Problem" reason="not_supported"/></xsl:template>

  <xsl:template match="h:act | h:organizer" mode="Problem">
    <xsl:variable name="links" select="h:component | h:entryRelationship[not(@typeCode) or @typeCode = 'SUBJ' or @typeCode = 'COMP'
                                       or h:observation/h:templateId/@root = '2.16.840.1.113883.10.20.22.4.4']"/>
    <xsl:variable name="parts" select="$links/h:observation | $links/h:organizer | $links/h:act[h:entryRelationship]"/>
    <xsl:choose>
      <xsl:when test="@nullFlavor"><LeftOut model="Problem" reason="no_information"/></xsl:when>
      <xsl:when test="not($parts)"><LeftOut model="Problem" reason="not_supported"/></xsl:when>
      <xsl:otherwise><xsl:apply-templates select="$parts" mode="Problem"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The problems inside a concern. A concern that only points to others has none. -->
  <xsl:template match="*" mode="HealthConcern">
    <xsl:variable name="problems" select="descendant-or-self::h:observation[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.4']"/>
    <xsl:variable name="lives" select="descendant-or-self::h:observation[h:templateId[@root = '2.16.840.1.113883.10.20.22.4.38' or @root = '2.16.840.1.113883.10.20.22.4.78']]"/>
    <xsl:apply-templates select="$problems" mode="Problem"/>
    <xsl:apply-templates select="$lives" mode="SocialHistory"/>
    <xsl:if test="not($problems | $lives)"><LeftOut model="HealthConcern" reason="not_supported"/></xsl:if>
  </xsl:template>

  <xsl:template match="h:observation" mode="Problem">
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="whole" select="h:value"/><xsl:with-param name="prefer" select="$snomed"/></xsl:call-template></xsl:variable>
    <xsl:variable name="name" select="exsl:node-set($named)/Field"/>
    <xsl:variable name="onset">
      <xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template>
    </xsl:variable>
    <!-- Without an onset, the time since when somebody has kept track of the problem. -->
    <xsl:variable name="tracked">
      <xsl:for-each select="ancestor::h:act[1]/h:effectiveTime">
        <xsl:call-template name="time"><xsl:with-param name="ts" select="(@value | h:low/@value)[1]"/></xsl:call-template>
      </xsl:for-each>
    </xsl:variable>
    <xsl:variable name="start" select="concat($onset, substring($tracked, 1, string-length($tracked) * ($onset = '')))"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <!-- How sure the sender is: a qualifier of the name, or an observation of the context of a finding. -->
    <xsl:variable name="spoken" select="translate($name[@name = 'name_title'], 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')"/>
    <xsl:variable name="own-bygone"><xsl:call-template name="bygone-by-words"><xsl:with-param name="names" select="$name[@name = 'name_title']"/></xsl:call-template></xsl:variable>
    <xsl:variable name="words-bygone"><xsl:value-of select="$own-bygone"/><xsl:call-template name="bygone-by-words"><xsl:with-param name="names" select="h:value/@displayName | h:value/h:originalText[normalize-space()]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="bygone" select="$words-bygone != '' or (h:code | h:code/h:translation)[@code = $tables/bygone/@code]"/>
    <xsl:variable name="feared" select="ancestor::h:act[1]/h:templateId/@root = '2.16.840.1.113883.10.20.22.4.136' and not(contains($spoken, 'risk'))"/>
    <xsl:variable name="certainty" select="(h:value/h:qualifier[h:name/@code = '246103008' or h:name/@code = '408729009']/h:value
                                            | h:entryRelationship/h:observation[h:code/@code = '408729009']/h:value)[1]"/>
    <!-- German diagnoses say how sure they are: A excluded, V suspected, Z a state after, G confirmed. -->
    <xsl:variable name="sure" select="string(h:value/h:qualifier/h:value[@codeSystem = '2.16.840.1.113883.3.7.1.8']/@code)"/>
    <xsl:variable name="of-family"><xsl:call-template name="of-family"><xsl:with-param name="name" select="$name[@name = 'name_title']"/></xsl:call-template><xsl:call-template name="family-list"/></xsl:variable>
    <xsl:variable name="past"><xsl:call-template name="past-list"><xsl:with-param name="title" select="ancestor::h:section[1]/h:title"/></xsl:call-template></xsl:variable>
    <xsl:variable name="once"><xsl:call-template name="history-list"><xsl:with-param name="title" select="ancestor::h:section[1]/h:title"/></xsl:call-template></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="not($name)">no_code</xsl:when>
        <xsl:when test="$certainty/@code = '410516002' or $certainty/@code = '410594000' or $sure = 'A'">negated</xsl:when>
        <xsl:otherwise>
          <xsl:variable name="absence"><xsl:call-template name="absence"><xsl:with-param name="name" select="$name"/><xsl:with-param name="model" select="'Problem'"/></xsl:call-template></xsl:variable>
          <xsl:value-of select="$absence"/>
          <xsl:variable name="said-beside"><r><xsl:apply-templates select="." mode="comments"/></r></xsl:variable>
          <xsl:variable name="mistake"><xsl:if test="$absence = ''"><xsl:call-template name="not-counted"><xsl:with-param name="names" select="h:value/@displayName | h:value/h:originalText"/><xsl:with-param name="remarks" select="exsl:node-set($said-beside)/r"/></xsl:call-template></xsl:if></xsl:variable>
          <xsl:value-of select="$mistake"/>
          <xsl:if test="$absence = '' and $mistake = ''"><xsl:call-template name="denied-beside"><xsl:with-param name="text" select="h:value[@code]/h:originalText[1]"/><xsl:with-param name="title" select="$name[@name = 'name_title']"/><xsl:with-param name="model" select="'Problem'"/></xsl:call-template></xsl:if>
        </xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:variable name="none">
      <xsl:if test="$why = 'negated' and not($certainty or h:effectiveTime/h:high/@value)">
        <xsl:variable name="state"><xsl:call-template name="clinical-status"/></xsl:variable>
        <xsl:call-template name="none-here">
          <xsl:with-param name="name" select="$name"/>
          <xsl:with-param name="model" select="'Problem'"/>
          <xsl:with-param name="ended" select="exsl:node-set($state)/Field[@name = 'clinicalStatus_title'][. = 'Inactive' or . = 'Resolved']"/>
        </xsl:call-template>
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
          <Field name="onset"><xsl:value-of select="$onset"/></Field>
          <Field name="date"><xsl:call-template name="written"/></Field>
          <Field name="notes">
            <xsl:call-template name="no-illness"><xsl:with-param name="name" select="$name"/></xsl:call-template>
            <xsl:apply-templates select="." mode="comments"/>
            <xsl:call-template name="own-words"><xsl:with-param name="name" select="$name"/></xsl:call-template>
            <xsl:variable name="end"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/h:high/@value"/></xsl:call-template></xsl:variable>
            <xsl:if test="$end != ''"><xsl:value-of select="concat(' Ended: ', $end, '.')"/></xsl:if>
            <xsl:variable name="state"><xsl:call-template name="clinical-status"/></xsl:variable>
            <xsl:for-each select="exsl:node-set($state)/Field[@name = 'clinicalStatus_title']"><xsl:value-of select="concat(' Status: ', ., '.')"/></xsl:for-each>
            <xsl:call-template name="details"/>
          </Field>
        </Model>
      </xsl:when>
      <xsl:otherwise>
        <Model name="Problem">
          <xsl:call-template name="identity"/>
          <!-- What somebody may get is not what they have, so it has no code. -->
          <xsl:if test="not($feared)"><xsl:copy-of select="$name[not($bygone and @name = 'name_title')]"/></xsl:if>
          <!-- A history of something does not say that it is still there. -->
          <xsl:if test="$bygone and not($feared)"><Field name="name_title"><xsl:value-of select="concat(substring('History of: ', 1, 12 * not(contains($spoken, 'history') or $own-bygone != '')), $name[@name = 'name_title'])"/></Field></xsl:if>
          <xsl:if test="$feared"><Field name="name_title"><xsl:value-of select="concat('At risk: ', $name[@name = 'name_title'])"/></Field></xsl:if>
          <Field name="startDate"><xsl:value-of select="$start"/></Field>
          <Field name="endDate"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/h:high/@value"/></xsl:call-template></Field>
          <Field name="recordedDate"><xsl:call-template name="written"/></Field>
          <Field name="diagnosedDate"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:entryRelationship/h:act[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.502' or h:code/@code = '77975-1']/h:effectiveTime/@value)[1]"/></xsl:call-template></Field>
          <xsl:call-template name="visit"/>
          <xsl:variable name="state"><xsl:call-template name="clinical-status"/></xsl:variable>
          <!-- That a concern is active only says that it is followed. Words that say "over" or "once", of the name or of the
               title of the list, count more than a status that says active. -->
          <xsl:variable name="of-concern" select="exsl:node-set($state)/Field[@name = 'clinicalStatus_system'] = $act-status"/>
          <xsl:variable name="active" select="exsl:node-set($state)/Field[@name = 'clinicalStatus_title'] = 'Active'"/>
          <xsl:variable name="resolved"><xsl:if test="$active or $of-concern or not(exsl:node-set($state)/Field[@name = 'clinicalStatus_title'])"><xsl:call-template name="resolved-by-name"><xsl:with-param name="name" select="$name[@name = 'name_title']"/></xsl:call-template><xsl:variable name="said-beside"><xsl:apply-templates select="." mode="comments"/></xsl:variable><xsl:call-template name="resolved-by-name"><xsl:with-param name="name" select="$said-beside"/><xsl:with-param name="alone" select="true()"/></xsl:call-template></xsl:if></xsl:variable>
          <xsl:variable name="dated"><xsl:call-template name="dated-by-name"><xsl:with-param name="names" select="$name[@name = 'name_title' or @name = 'name_identifier'] | h:value/h:originalText[normalize-space()]"/></xsl:call-template></xsl:variable>
          <xsl:variable name="as-active" select="$active and ($dated = 'event' or ($dated = 'year' and $of-concern) or ($resolved != '' and not($of-concern)) or $words-bygone != '' or $past != '' or $once != '' or ($of-concern and ancestor::h:section[1]/h:code/@code = '11348-0'))"/>
          <xsl:variable name="no-state" select="$as-active or not(exsl:node-set($state)/Field[@name = 'clinicalStatus_title'])"/>
          <xsl:choose>
            <xsl:when test="exsl:node-set($resolved)/Field"><xsl:copy-of select="exsl:node-set($resolved)/Field[1]"/></xsl:when>
            <xsl:when test="$sure = 'Z' or ($past != '' and $no-state)"><Field name="clinicalStatus_title">Inactive</Field></xsl:when>
            <xsl:when test="not($as-active or ($bygone and $of-concern))"><xsl:copy-of select="$state"/></xsl:when>
          </xsl:choose>
          <xsl:variable name="unsure"><xsl:if test="$sure = 'V'"><xsl:call-template name="listed"><xsl:with-param name="field" select="'verificationStatus'"/><xsl:with-param name="code" select="'provisional'"/><xsl:with-param name="system" select="'http://terminology.hl7.org/CodeSystem/condition-ver-status'"/></xsl:call-template></xsl:if><xsl:if test="$sure != 'V' and not($certainty[not(@code = $tables/certain/@code)])"><xsl:call-template name="unsure-by-words"><xsl:with-param name="names" select="$name[@name = 'name_title'] | h:value/@displayName | h:value/h:originalText[normalize-space()] | h:value/h:qualifier/h:value/@displayName"/></xsl:call-template></xsl:if></xsl:variable>
          <xsl:copy-of select="$unsure"/>
          <xsl:if test="$unsure = ''"><xsl:call-template name="named"><xsl:with-param name="field" select="'verificationStatus'"/><xsl:with-param name="whole" select="$certainty"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:if>
          <Field name="notes">
            <xsl:value-of select="concat(substring(' Suspected (V).', 1, 15 * ($sure = 'V')), substring(' State after this (Z).', 1, 22 * ($sure = 'Z')))"/><xsl:if test="$as-active and $sure != 'Z'"> The sender’s entry has the status active.</xsl:if><xsl:if test="$no-state"><xsl:value-of select="concat($past, $once)"/></xsl:if><xsl:if test="$unsure != '' and $certainty"> The sender’s status says: Confirmed.</xsl:if>
            <xsl:apply-templates select="." mode="comments"/><xsl:call-template name="own-words"><xsl:with-param name="name" select="$name"/></xsl:call-template>
            <!-- What the sender wrote may say more than the name of the code. -->
            <xsl:for-each select="h:value[@code or h:translation/@code]/h:originalText[normalize-space()][normalize-space() != $name[@name = 'name_title']]"><xsl:value-of select="concat(' In the words of the source: ', normalize-space(), '.')"/></xsl:for-each>
            <xsl:call-template name="details"><xsl:with-param name="certainty" select="$certainty"/></xsl:call-template>
            <xsl:call-template name="tracking"/>
            <xsl:if test="$onset = '' and $start != ''"> Onset not stated; the start is when the problem was first tracked.</xsl:if>
          </Field>
          <xsl:call-template name="problem-category"/>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- How certain it is by its words. -->
  <xsl:template name="unsure-by-words">
    <xsl:param name="names"/>
    <xsl:param name="kind" select="'condition-ver-status'"/>
    <xsl:call-template name="certainty-by-words"><xsl:with-param name="names" select="$names"/><xsl:with-param name="system" select="concat('http://terminology.hl7.org/CodeSystem/', $kind)"/></xsl:call-template>
  </xsl:template>

  <!-- What the model has no place for, in words: where in the body, on which side, which stage, how severe. -->
  <xsl:template name="details">
    <xsl:param name="certainty" select="/.."/>
    <xsl:for-each select="h:targetSiteCode | h:value/h:qualifier[not(h:value/@codeSystem = '2.16.840.1.113883.3.7.1.8')] | h:targetSiteCode/h:qualifier | h:entryRelationship//h:observation">
      <xsl:variable name="of" select="self::h:targetSiteCode | h:value"/>
      <xsl:variable name="state" select="h:code/@code = '33999-4' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.28' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.6'"/>
      <xsl:variable name="what">
        <xsl:choose>
          <xsl:when test="self::h:targetSiteCode">Site</xsl:when>
          <xsl:when test="$tables/detail[@code = (current()/h:code | current()/h:name)/@code]"><xsl:value-of select="$tables/detail[@code = (current()/h:code | current()/h:name)/@code]/@title"/></xsl:when>
          <xsl:otherwise>
            <xsl:call-template name="named"><xsl:with-param name="field" select="'what'"/><xsl:with-param name="whole" select="(h:code[@code != 'ASSERTION'] | h:name)[1]"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
          </xsl:otherwise>
        </xsl:choose>
      </xsl:variable>
      <xsl:variable name="title" select="concat(exsl:node-set($what)/Field[@name = 'what_title'], substring($what, 1, 99 * not(exsl:node-set($what)/Field)))"/>
      <xsl:variable name="said">
        <xsl:for-each select="$of">
          <xsl:if test="position() > 1">; </xsl:if>
          <!-- Nobody reads "57 a" as an age. -->
          <xsl:if test="@value and (@unit = 'a' or @unit = 'mo')"><xsl:value-of select="concat(@value, ' ', substring('years', 1, 5 * (@unit = 'a')), substring('months', 1, 6 * (@unit = 'mo')))"/></xsl:if>
          <xsl:if test="not(@value and (@unit = 'a' or @unit = 'mo'))"><xsl:apply-templates select="." mode="words"/></xsl:if>
        </xsl:for-each>
      </xsl:variable>
      <xsl:if test="not($state) and not(@nullFlavor) and normalize-space($said) and not($of[generate-id() = generate-id($certainty)])">
        <xsl:value-of select="concat(' ', $title, substring(': ', 1, 2 * ($title != '')), substring('not ', 1, 4 * boolean(@negationInd[contains($yes, concat('|', ., '|'))])), normalize-space($said), '.')"/>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- Why something is done, in the words of the observation that is its reason. -->
  <xsl:template name="reasons">
    <xsl:for-each select="h:entryRelationship[@typeCode = 'RSON']/h:observation[not(@negationInd[contains($yes, concat('|', ., '|'))])]">
      <xsl:call-template name="said-of"><xsl:with-param name="label" select="'For'"/><xsl:with-param name="whole" select="h:value"/></xsl:call-template>
    </xsl:for-each>
  </xsl:template>

  <xsl:template name="said-of">
    <xsl:param name="label"/>
    <xsl:param name="whole"/>
    <xsl:param name="or" select="/.."/>
    <xsl:variable name="one"><xsl:call-template name="named"><xsl:with-param name="field" select="'one'"/><xsl:with-param name="whole" select="$whole"/><xsl:with-param name="label" select="$or"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
    <xsl:for-each select="exsl:node-set($one)/Field[@name = 'one_title'][normalize-space()]"><xsl:value-of select="concat(' ', $label, ': ', ., '.')"/></xsl:for-each>
  </xsl:template>

  <!-- What is observed of a medicine or a procedure, such as a reaction or a complication. -->
  <xsl:template name="observed-of">
    <xsl:for-each select="h:entryRelationship[not(@typeCode = 'RSON')]/h:observation[h:value][not(h:code/@code = '33999-4' or h:code/@code = 'SEV' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.28' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.6' or h:templateId/@root = '2.16.840.1.113883.10.20.1.47')]">
      <xsl:variable name="said"><xsl:for-each select="h:value"><xsl:if test="position() > 1">; </xsl:if><xsl:apply-templates select="." mode="words"/></xsl:for-each></xsl:variable>
      <xsl:variable name="what"><xsl:call-template name="named"><xsl:with-param name="field" select="'what'"/><xsl:with-param name="whole" select="h:code[@code != 'ASSERTION' or h:originalText]"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
      <xsl:variable name="title" select="concat(substring('Reaction', 1, 8 * (h:templateId/@root = '2.16.840.1.113883.10.20.22.4.9')), substring(exsl:node-set($what)/Field[@name = 'what_title'], 1, 300 * not(h:templateId/@root = '2.16.840.1.113883.10.20.22.4.9')))"/>
      <xsl:if test="normalize-space($said) != ''"><xsl:value-of select="concat(' ', $title, substring(': ', 1, 2 * ($title != '')), substring('not ', 1, 4 * boolean(@negationInd[contains($yes, concat('|', ., '|'))])), normalize-space($said), '.')"/></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- What is observed beside a reading, an answer or a visit, in words: "Inhaled oxygen flow rate: 6 L/min." -->
  <xsl:template name="observed-beside">
    <!-- Observations that are read otherwise. -->
    <xsl:param name="known" select="/.."/>
    <xsl:for-each select="h:entryRelationship/h:observation[not(@nullFlavor)]">
      <xsl:if test="not($known[generate-id() = generate-id(current())]) and position() &lt;= 50"><xsl:apply-templates select="." mode="beside"/></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="h:observation" mode="beside">
    <xsl:variable name="said"><xsl:for-each select="h:value"><xsl:if test="position() > 1">; </xsl:if><xsl:apply-templates select="." mode="words"/></xsl:for-each></xsl:variable>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'what'"/><xsl:with-param name="whole" select="h:code[translate(@code, 'asertion', 'ASERTION') != 'ASSERTION' or h:originalText]"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
    <xsl:variable name="known" select="$tables/detail[@code = current()/h:code/@code]/@title"/>
    <xsl:variable name="title" select="concat($known, substring(exsl:node-set($named)/Field[@name = 'what_title'], 1, 300 * not($known)))"/>
    <xsl:variable name="day"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
    <xsl:if test="normalize-space($said) != ''">
      <xsl:value-of select="concat(' ', $title, substring(': ', 1, 2 * ($title != '')), substring('not ', 1, 4 * boolean(@negationInd[contains($yes, concat('|', ., '|'))])), normalize-space($said))"/>
      <xsl:if test="$day != '' and not(ancestor::*[h:effectiveTime[starts-with(@value, translate(substring($day, 1, 10), '-', '')) or starts-with(h:low/@value, translate(substring($day, 1, 10), '-', ''))]])"><xsl:value-of select="concat(' (', substring($day, 1, 10), ')')"/></xsl:if>
      <xsl:text>.</xsl:text>
    </xsl:if>
    <xsl:apply-templates select="." mode="comments"/>
    <xsl:call-template name="observed-beside"/>
  </xsl:template>

  <!-- What the person is told about it. -->
  <xsl:template name="told">
    <xsl:for-each select="h:entryRelationship/h:act[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.20']/h:text">
      <xsl:variable name="text"><xsl:apply-templates select="." mode="text"/></xsl:variable>
      <xsl:if test="normalize-space($text) != ''"><xsl:value-of select="concat(' ', normalize-space($text))"/></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- The end of what took some time. -->
  <xsl:template name="until">
    <xsl:variable name="end"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/h:high/@value[not(. = ../../h:low/@value)]"/></xsl:call-template></xsl:variable>
    <xsl:if test="$end != ''"><xsl:value-of select="concat(' Until: ', $end, '.')"/></xsl:if>
  </xsl:template>

  <!-- Whoever else was there, beside the first. -->
  <xsl:template name="others">
    <xsl:for-each select="(h:performer/h:assignedEntity/h:assignedPerson/h:name[normalize-space()])[position() > 1][position() &lt;= 50]">
      <xsl:variable name="who"><xsl:apply-templates select="." mode="words"/></xsl:variable>
      <xsl:value-of select="concat(' Also there: ', normalize-space($who), '.')"/>
    </xsl:for-each>
  </xsl:template>

  <!-- A person of no profession, such as a daughter, who told of it. -->
  <xsl:template name="informant">
    <xsl:for-each select="h:informant/h:relatedEntity">
      <xsl:variable name="name"><xsl:apply-templates select="(h:relatedPerson/h:name)[1]" mode="words"/></xsl:variable>
      <xsl:variable name="kin" select="normalize-space((h:code/@displayName | h:code/h:originalText)[1])"/>
      <xsl:if test="concat($kin, normalize-space($name)) != ''"><xsl:value-of select="concat(' Told by: ', normalize-space($name), substring(' (', 1, 2 * ($kin != '' and normalize-space($name) != '')), $kin, substring(')', 1, number($kin != '' and normalize-space($name) != '')), '.')"/></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- A day on which something can no longer be used, and its lot. -->
  <xsl:template match="*" mode="use-by">
    <xsl:param name="what"/>
    <xsl:variable name="day"><xsl:call-template name="time"><xsl:with-param name="ts" select="(.//*[local-name() = 'expirationTime']/@value | .//*[local-name() = 'expirationTime']/h:high/@value)[1]"/></xsl:call-template></xsl:variable>
    <xsl:if test="$day != ''"><xsl:value-of select="concat(' ', $what, ' to be used by ', substring($day, 1, 10), '.')"/></xsl:if>
  </xsl:template>

  <!-- Until when a prescription is valid, how often it is repeated, and how much of it. -->
  <xsl:template name="prescribed">
    <xsl:variable name="times" select="(h:repeatNumber/@value | h:repeatNumber/h:high/@value)[1]"/>
    <xsl:if test="self::h:substanceAdministration and $times"><xsl:value-of select="concat(' Number of times: ', $times, '.')"/></xsl:if>
    <xsl:for-each select="h:entryRelationship/h:supply[@moodCode = 'INT' or @moodCode = 'RQO' or @moodCode = 'PRP'] | self::h:supply[@moodCode = 'INT' or @moodCode = 'RQO' or @moodCode = 'PRP']">
      <xsl:variable name="start"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/h:low/@value)[1]"/></xsl:call-template></xsl:variable>
      <xsl:variable name="end"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/h:high/@value)[1]"/></xsl:call-template></xsl:variable>
      <xsl:if test="$end != ''"><xsl:value-of select="concat(' Prescription valid', substring(concat(' from ', substring($start, 1, 10)), 1, 99 * ($start != '')), ' until ', substring($end, 1, 10), '.')"/></xsl:if>
      <xsl:for-each select="(h:repeatNumber/@value | h:repeatNumber/h:high/@value)[1]"><xsl:value-of select="concat(' Can be handed out ', ., substring(' times.', 1, 7 * (. != 1)), substring(' time.', 1, 6 * (. = 1)))"/></xsl:for-each>
      <xsl:if test="h:quantity/@value"><xsl:value-of select="concat(' Quantity: ', normalize-space(concat(h:quantity/@value, ' ', translate(h:quantity/@unit[. != '1'], '{}', ''))), '.')"/></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- Where in the body and how, where no column of its own says it. -->
  <xsl:template name="site-and-method">
    <xsl:param name="known" select="/.."/>
    <xsl:for-each select="h:targetSiteCode[not(@nullFlavor) or h:originalText][not(@code = $known)] | h:targetSiteCode/h:qualifier | h:methodCode[not(@nullFlavor) or h:originalText][not(@code = $known)]">
      <xsl:variable name="said">
        <xsl:for-each select="self::h:targetSiteCode | self::h:methodCode | self::h:qualifier/h:value"><xsl:apply-templates select="." mode="words"/></xsl:for-each>
      </xsl:variable>
      <xsl:variable name="label"><xsl:choose><xsl:when test="self::h:methodCode">Method</xsl:when><xsl:when test="self::h:qualifier[h:name/@displayName]"><xsl:value-of select="h:name/@displayName"/></xsl:when><xsl:otherwise>Site</xsl:otherwise></xsl:choose></xsl:variable>
      <xsl:if test="normalize-space($said) != ''"><xsl:value-of select="concat(' ', $label, ': ', normalize-space($said), '.')"/></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- A diagnosis of one visit or operation, by its template or its section; a concern; an item of a list of problems. -->
  <xsl:template name="problem-category">
    <xsl:variable name="around" select="ancestor::h:act[1]/h:templateId/@root"/>
    <xsl:variable name="section" select="ancestor::h:section[1]/h:code/@code"/>
    <xsl:variable name="code">
      <xsl:choose>
        <xsl:when test="$tables/diagnosis[concat('2.16.840.1.113883.10.20.22.4.', @template) = $around or @section = $section]">encounter-diagnosis</xsl:when>
        <xsl:when test="$around = '2.16.840.1.113883.10.20.22.4.132' or $section = '75310-3'">health-concern</xsl:when>
        <xsl:when test="$section = '11450-4' or ancestor::h:section[1]/h:templateId[@root = '2.16.840.1.113883.10.20.22.2.5' or @root = '2.16.840.1.113883.10.20.22.2.5.1']">problem-list-item</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:call-template name="listed">
      <xsl:with-param name="field" select="'category'"/>
      <xsl:with-param name="code" select="string($code)"/>
      <xsl:with-param name="system" select="concat(substring('http://hl7.org/fhir/us/core/CodeSystem/condition-category', 1, 99 * ($code = 'health-concern')),
                                                   substring('http://terminology.hl7.org/CodeSystem/condition-category', 1, 99 * ($code != 'health-concern')))"/>
    </xsl:call-template>
  </xsl:template>

  <!-- The status observation, else the concern around it. Many senders call every concern completed, so this is used
       only together with an end. An end at an unknown time (UNK) is an end. In an active concern it is unclear which of
       the two is meant, so there is no status. A concern that is suspended or aborted is not followed any more, which says
       nothing about the problem; `tracking` says it. -->
  <xsl:template name="clinical-status">
    <xsl:variable name="said" select="h:entryRelationship/h:observation[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.28' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.6' or h:code/@code = '33999-4']/h:value[1]"/>
    <xsl:variable name="concern" select="ancestor::h:act[1]/h:statusCode/@code"/>
    <!-- An end after the day of the document is only expected, and has not come yet. -->
    <xsl:variable name="day" select="number(substring(translate(/h:ClinicalDocument/h:effectiveTime/@value, '-:T', ''), 1, 8))"/>
    <xsl:variable name="end" select="h:effectiveTime/h:high/@value | ancestor::h:act[1]/h:effectiveTime/h:high/@value"/>
    <xsl:variable name="over" select="$end[number(substring(., 1, 4)) &gt; 0][not(number(substring(concat(translate(., '-:T', ''), '0101'), 1, 8)) &gt; $day)]"/>
    <xsl:variable name="ended-some-time" select="h:effectiveTime/h:high[@nullFlavor = 'UNK'][not(@value)]"/>
    <xsl:variable name="status"><xsl:call-template name="named"><xsl:with-param name="field" select="'clinicalStatus'"/><xsl:with-param name="whole" select="$said"/><xsl:with-param name="prefer" select="$snomed"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
    <xsl:choose>
      <xsl:when test="exsl:node-set($status)/Field"><xsl:copy-of select="$status"/></xsl:when>
      <xsl:when test="$concern = 'active' and $ended-some-time and not($over)"/>
      <xsl:when test="$concern = 'active' and not($over)">
        <xsl:call-template name="listed"><xsl:with-param name="field" select="'clinicalStatus'"/><xsl:with-param name="code" select="'active'"/><xsl:with-param name="system" select="$act-status"/></xsl:call-template>
      </xsl:when>
      <xsl:when test="$concern = 'completed' and ($over or $ended-some-time)">
        <Field name="clinicalStatus_identifier"><xsl:value-of select="$concern"/></Field>
        <Field name="clinicalStatus_title">Inactive</Field>
        <Field name="clinicalStatus_system"><xsl:value-of select="$act-status"/></Field>
      </xsl:when>
      <xsl:when test="$over or $ended-some-time"><Field name="clinicalStatus_title">Inactive</Field></xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- "yes" in a list of what the family has, by its code or its title: then nothing in it is the person's. -->
  <xsl:template name="family-list">
    <xsl:variable name="section" select="ancestor::h:section[1]"/>
    <xsl:if test="$section/h:code/@code = '10157-6'">yes</xsl:if>
    <xsl:if test="not($section/h:code/@code = '10157-6')"><xsl:call-template name="family-title"><xsl:with-param name="title" select="$section/h:title"/></xsl:call-template></xsl:if>
  </xsl:template>

  <!-- That the sender does not follow a concern any more, or took an entry back half-way, in words. -->
  <xsl:template name="tracking">
    <xsl:variable name="concern" select="ancestor::h:act[1]/h:statusCode/@code"/>
    <xsl:variable name="own" select="h:statusCode/@code"/>
    <xsl:if test="$concern = 'suspended' or $concern = 'held'"> The sender does not follow this for the time being (<xsl:value-of select="$concern"/>).</xsl:if>
    <xsl:if test="$concern = 'aborted' or $concern = 'cancelled' or $concern = 'obsolete'"> The sender does not follow this any more (<xsl:value-of select="$concern"/>).</xsl:if>
    <xsl:if test="contains('|aborted|cancelled|obsolete|suspended|held|', concat('|', $own, '|'))"> The sender's entry has the status <xsl:value-of select="$own"/>.</xsl:if>
  </xsl:template>

  <!-- Why the state of an act that happens once says that it has not happened: it was cancelled, or has not begun. -->
  <xsl:template name="not-begun">
    <xsl:variable name="state" select="h:statusCode/@code"/>
    <xsl:variable name="today" select="number(substring(translate(/h:ClinicalDocument/h:effectiveTime/@value, '-:T', ''), 1, 8))"/>
    <xsl:variable name="when" select="number(substring(translate((h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1], '-:T', ''), 1, 8))"/>
    <xsl:choose>
      <xsl:when test="$state = 'cancelled'">cancelled</xsl:when>
      <xsl:when test="$state = 'new' or $state = 'held' or ($state = 'active' and $when &gt; $today and $when &gt; 9999999)">planned</xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ allergies -->

  <xsl:template match="*" mode="Allergy"><LeftOut model="Allergy" reason="not_supported"/></xsl:template>

  <xsl:template match="h:act | h:organizer" mode="Allergy">
    <xsl:variable name="links" select="h:component | h:entryRelationship[not(@typeCode) or @typeCode = 'SUBJ' or @typeCode = 'COMP'
                                       or h:observation/h:templateId/@root = '2.16.840.1.113883.10.20.22.4.7']"/>
    <!-- Some senders put the severity beside the allergy to which it belongs. -->
    <xsl:variable name="severity" select="$links/h:observation[h:code/@code = 'SEV' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.8']"/>
    <xsl:variable name="parts" select="$links/h:observation[not(h:code/@code = 'SEV' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.8')]
                                       | $links/h:organizer | $links/h:act[h:entryRelationship]"/>
    <xsl:choose>
      <xsl:when test="@nullFlavor"><LeftOut model="Allergy" reason="no_information"/></xsl:when>
      <xsl:when test="not($parts)"><LeftOut model="Allergy" reason="not_supported"/></xsl:when>
      <xsl:otherwise>
        <xsl:apply-templates select="$parts" mode="Allergy">
          <xsl:with-param name="beside" select="$severity[count($parts) = 1]/h:value[1]"/>
        </xsl:apply-templates>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="h:observation" mode="Allergy">
    <!-- A severity that is beside the allergy. -->
    <xsl:param name="beside" select="/.."/>
    <!-- Earlier releases have the kind in code and a general word in value. -->
    <xsl:variable name="kinds" select="(h:code | h:value | h:value/h:translation)[@codeSystem = $snomed]/@code"/>
    <xsl:variable name="row" select="$tables/category[@code = $kinds][1]"/>
    <xsl:variable name="entities" select="h:participant[not(@typeCode) or @typeCode = 'CSM']/h:participantRole/h:playingEntity"/>
    <xsl:variable name="substances" select="$entities/h:code"/>
    <xsl:variable name="specific" select="($substances | $substances/h:translation)[@code != ''][not(@code = $tables/anything/@code)]"/>
    <xsl:variable name="substance"><xsl:call-template name="named"><xsl:with-param name="field" select="'allergen'"/><xsl:with-param name="whole" select="$substances[not(@code = $tables/anything/@code)]"/><xsl:with-param name="label" select="$entities/h:name"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
    <!-- Some say it in one code ("allergy to penicillin"), some only in the text to which the statement points. -->
    <xsl:variable name="whole" select="h:value[not(@code = $tables/category/@code)][not(@code = $tables/anything/@code)]"/>
    <xsl:variable name="named">
      <xsl:choose>
        <xsl:when test="exsl:node-set($substance)/Field"><xsl:copy-of select="$substance"/></xsl:when>
        <xsl:otherwise><xsl:call-template name="named"><xsl:with-param name="field" select="'allergen'"/><xsl:with-param name="whole" select="$whole"/><xsl:with-param name="prefer" select="$snomed"/></xsl:call-template></xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <!-- An allergy to several things is named by all of them, and the code of one is not that of the others. -->
    <xsl:variable name="each"><xsl:for-each select="$entities[position() &lt;= 50]"><xsl:variable name="one"><xsl:call-template name="named"><xsl:with-param name="field" select="'one'"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="label" select="h:name"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable><n><xsl:value-of select="exsl:node-set($one)/Field[@name = 'one_title']"/></n></xsl:for-each></xsl:variable>
    <xsl:variable name="several" select="exsl:node-set($each)/n[normalize-space()][not(. = preceding-sibling::n)]"/>
    <xsl:variable name="is-one" select="not($several[2])"/>
    <xsl:variable name="joined"><Field name="allergen_title"><xsl:for-each select="$several"><xsl:value-of select="concat(substring(', ', 1, 2 * (position() > 1)), .)"/></xsl:for-each></Field></xsl:variable>
    <xsl:variable name="allergen" select="exsl:node-set($named)/Field[$is-one] | exsl:node-set($joined)/Field[not($is-one)]"/>
    <!-- All that it is called: also texts beside a code may name what is there after all. -->
    <xsl:variable name="calls">
      <call><xsl:value-of select="$allergen[@name = 'allergen_title']"/></call>
      <xsl:for-each select="h:value | $substances | h:code | h:value/h:translation | $substances/h:translation"><call><xsl:value-of select="@displayName"/></call><call><xsl:apply-templates select="h:originalText[1]" mode="text"/></call></xsl:for-each>
      <xsl:for-each select="$entities/h:name"><call><xsl:value-of select="."/></call></xsl:for-each>
      <call><xsl:apply-templates select="h:text[1]" mode="text"/></call>
    </xsl:variable>
    <xsl:variable name="sayings"><xsl:call-template name="exclusion-sayings"><xsl:with-param name="names" select="exsl:node-set($calls)/call[normalize-space()]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="said" select="exsl:node-set($sayings)/said"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"><xsl:with-param name="negated-too" select="true()"/></xsl:apply-templates></xsl:variable>
    <xsl:variable name="negated" select="@negationInd[contains($yes, concat('|', ., '|'))] or ancestor::h:act[1]/@negationInd[contains($yes, concat('|', ., '|'))]"/>
    <xsl:variable name="absence"><xsl:call-template name="absence"><xsl:with-param name="name" select="$allergen"/><xsl:with-param name="model" select="'Allergy'"/></xsl:call-template></xsl:variable>
    <!-- A longer text may also speak of the person. -->
    <xsl:variable name="of-family"><xsl:for-each select="exsl:node-set($calls)/call[normalize-space()][string-length(normalize-space()) &lt; 60 or . = $allergen]"><xsl:call-template name="of-family"><xsl:with-param name="name" select="."/><xsl:with-param name="anywhere" select="true()"/></xsl:call-template></xsl:for-each><xsl:call-template name="family-list"/></xsl:variable>
    <xsl:variable name="excluded" select="$words/exclusion[@code = $kinds or @code = $specific[@codeSystem = $snomed]/@code or @code = $allergen[@name = 'allergen_identifier']][1]/@to"/>
    <xsl:variable name="remarks"><xsl:apply-templates select="." mode="comments"/><xsl:call-template name="own-words"><xsl:with-param name="name" select="$allergen"/></xsl:call-template></xsl:variable>
    <xsl:variable name="remarked"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$remarks"/></xsl:call-template></xsl:variable>
    <xsl:variable name="excepted"><xsl:call-template name="exception"><xsl:with-param name="spoken" select="$remarked"/></xsl:call-template></xsl:variable>
    <xsl:variable name="reacts">
      <xsl:for-each select="h:entryRelationship[@typeCode = 'MFST']/h:observation[not(@negationInd[contains($yes, concat('|', ., '|'))])]/h:value[not(@nullFlavor) or h:originalText]">
        <xsl:variable name="sign"><xsl:call-template name="named"><xsl:with-param name="field" select="'sign'"/><xsl:with-param name="whole" select="."/></xsl:call-template></xsl:variable>
        <xsl:variable name="none"><xsl:call-template name="no-reaction"><xsl:with-param name="name" select="exsl:node-set($sign)/Field"/></xsl:call-template></xsl:variable>
        <xsl:if test="$none = ''">yes</xsl:if>
      </xsl:for-each>
    </xsl:variable>
    <xsl:variable name="one" select="exsl:node-set($substance)/Field[@name = 'allergen_title'][not(../Field[@name = 'allergen_identifier'] = $words/exclusion/@code)][not(. = $said[. != '']/@words)]"/>
    <xsl:variable name="named-one">
      <xsl:if test="$one and $absence = ''">
        <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$one"/></xsl:call-template></xsl:variable>
        <xsl:call-template name="names-something"><xsl:with-param name="spoken" select="$spoken"/></xsl:call-template>
      </xsl:if>
    </xsl:variable>
    <!-- Nothing is known: this is said outright in a code or in words, or by the negation of a kind of allergy that
         names no allergen. -->
    <xsl:variable name="exclusion">
      <xsl:choose>
        <xsl:when test="$absence = 'no_information'"/>
        <xsl:when test="$said = 'there'">there</xsl:when>
        <!-- An allergen that is named, a reaction or an exception in a comment denies that there is no allergy. -->
        <xsl:when test="not($negated and exsl:node-set($substance)/Field) and ($negated or $excluded or $said[. != '']) and ($reacts != '' or $excepted != '' or ($named-one != '' and not($negated)))">there</xsl:when>
        <xsl:when test="$negated and not(exsl:node-set($substance)/Field)">
          <xsl:value-of select="$row/@none"/>
          <xsl:if test="not($row)">160244002</xsl:if>
        </xsl:when>
        <xsl:when test="$negated"/>
        <xsl:otherwise>
          <xsl:call-template name="exclusion">
            <xsl:with-param name="coded" select="$excluded"/>
            <xsl:with-param name="sayings" select="$said"/>
          </xsl:call-template>
        </xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:variable name="there">
      <Field name="allergen_title">
        <xsl:choose>
          <xsl:when test="$said = 'there'"><xsl:value-of select="$said[. = 'there'][1]/@words"/></xsl:when>
          <xsl:when test="$named-one != ''"><xsl:value-of select="$one"/></xsl:when>
          <xsl:otherwise><xsl:value-of select="concat(($allergen[@name = 'allergen_title'] | $said[. != '']/@words)[1], substring('No known allergies', 1, 99 * not($allergen or $said[. != ''])), substring(': ', 1, 2 * ($remarks != '')), $remarks)"/></xsl:otherwise>
        </xsl:choose>
      </Field>
    </xsl:variable>
    <!-- An exclusion that is no longer true is no exclusion. -->
    <xsl:variable name="state"><xsl:if test="$exclusion != '' and $exclusion != 'there'"><xsl:call-template name="clinical-status"/></xsl:if></xsl:variable>
    <xsl:variable name="bygone" select="exsl:node-set($state)/Field[@name = 'clinicalStatus_title'][. = 'Inactive' or . = 'Resolved']"/>
    <xsl:choose>
      <xsl:when test="$general != ''">
        <LeftOut model="Allergy" reason="{$general}"/>
        <xsl:call-template name="taken-back"><xsl:with-param name="why" select="$general"/><xsl:with-param name="model" select="'Allergy'"/><xsl:with-param name="name" select="$allergen[@name = 'allergen_title']"/></xsl:call-template>
      </xsl:when>
      <xsl:when test="$of-family != ''"><LeftOut model="Allergy" reason="other_person"/></xsl:when>
      <xsl:when test="$bygone"><LeftOut model="AllergyExclusion" reason="negated"/></xsl:when>
      <!-- An allergy beside "no known allergies" is read in the sender's words; the code would deny it. -->
      <xsl:when test="$exclusion = 'there'">
        <xsl:call-template name="allergy">
          <xsl:with-param name="row" select="$row"/>
          <xsl:with-param name="allergen" select="exsl:node-set($there)/Field"/>
          <xsl:with-param name="specific" select="/.."/>
          <xsl:with-param name="beside" select="$beside"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:when test="$exclusion != ''">
        <Model name="AllergyExclusion">
          <xsl:call-template name="identity"/>
          <xsl:call-template name="listed">
            <xsl:with-param name="field" select="'name'"/>
            <xsl:with-param name="code" select="substring($exclusion, 1, 99 * ($exclusion != 'said'))"/>
            <xsl:with-param name="system" select="$snomed-uri"/>
            <xsl:with-param name="title" select="($specific | h:value)[@code = $exclusion][1]/@displayName | $said[. != ''][$exclusion = 'said'][1]/@words"/>
          </xsl:call-template>
        </Model>
      </xsl:when>
      <xsl:when test="$negated">
        <LeftOut model="Allergy" reason="negated"/>
        <xsl:call-template name="taken-back"><xsl:with-param name="why" select="'negated'"/><xsl:with-param name="model" select="'Allergy'"/><xsl:with-param name="name" select="$allergen[@name = 'allergen_title']"/></xsl:call-template>
      </xsl:when>
      <xsl:when test="not($allergen)"><LeftOut model="Allergy" reason="no_code"/></xsl:when>
      <xsl:when test="$absence != ''"><LeftOut model="Allergy" reason="{$absence}"/></xsl:when>
      <xsl:otherwise>
        <xsl:call-template name="allergy">
          <xsl:with-param name="row" select="$row"/>
          <xsl:with-param name="allergen" select="$allergen"/>
          <xsl:with-param name="specific" select="$specific[$is-one]"/>
          <xsl:with-param name="beside" select="$beside"/>
        </xsl:call-template>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The model has room for one reaction, so every reaction makes its own fact; without a reaction there is one fact,
       too. -->
  <xsl:template name="allergy">
    <xsl:param name="row"/>
    <xsl:param name="allergen"/>
    <xsl:param name="specific"/>
    <xsl:param name="beside"/>
    <xsl:variable name="past"><xsl:call-template name="past-list"><xsl:with-param name="title" select="ancestor::h:section[1]/h:title"/></xsl:call-template></xsl:variable>
    <!-- Words that say that it is not there, or no longer, count more than a status that says active. -->
    <xsl:variable name="told"><r><xsl:apply-templates select="h:text[1]" mode="text"/></r><r><xsl:apply-templates select="." mode="comments"/></r></xsl:variable>
    <xsl:variable name="removed"><xsl:call-template name="says-unallergic"><xsl:with-param name="names" select="$allergen[@name = 'allergen_title'] | h:participant/h:participantRole/h:playingEntity/h:name | h:participant/h:participantRole/h:playingEntity/h:code/h:originalText | h:value/h:originalText[normalize-space()]"/><xsl:with-param name="remarks" select="exsl:node-set($told)/r"/></xsl:call-template></xsl:variable>
    <xsl:variable name="own-state"><xsl:call-template name="clinical-status"/></xsl:variable>
    <xsl:variable name="over"><xsl:call-template name="resolved-by-name"><xsl:with-param name="name" select="$allergen[@name = 'allergen_title']"/></xsl:call-template></xsl:variable>
    <xsl:variable name="as-active" select="($removed != '' or $past != '' or $over != '') and exsl:node-set($own-state)/Field[@name = 'clinicalStatus_title'] = 'Active'"/>
    <!-- A UNII names any substance, so only the kind says that it is a food. -->
    <xsl:variable name="food" select="h:value[@code = '414285001' or @code = '235719002' or @code = '418471000']"/>
    <xsl:variable name="common">
      <xsl:call-template name="allergy-kind"/>
      <xsl:copy-of select="$allergen"/>
      <xsl:call-template name="allergen-in"><xsl:with-param name="field" select="'drug_allergen'"/><xsl:with-param name="code" select="$specific[@codeSystem = $rxnorm][1]"/></xsl:call-template>
      <xsl:call-template name="allergen-in"><xsl:with-param name="field" select="'drug_class_allergen'"/><xsl:with-param name="code" select="$specific[@codeSystem = $ndfrt][1]"/></xsl:call-template>
      <xsl:call-template name="allergen-in"><xsl:with-param name="field" select="'food_allergen'"/><xsl:with-param name="code" select="$specific[@codeSystem = $unii][$food][1]"/></xsl:call-template>
      <xsl:call-template name="named">
        <xsl:with-param name="field" select="'criticality'"/>
        <xsl:with-param name="whole" select="h:entryRelationship/h:observation[h:code/@code = '82606-5' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.145']/h:value[1]"/>
        <xsl:with-param name="around" select="false()"/>
      </xsl:call-template>
      <xsl:variable name="state"><xsl:if test="not($as-active)"><xsl:copy-of select="$own-state"/></xsl:if></xsl:variable>
      <xsl:variable name="resolved"><xsl:if test="not(exsl:node-set($state)/Field[@name = 'clinicalStatus_title']) or exsl:node-set($state)/Field[@name = 'clinicalStatus_system'] = $act-status"><xsl:if test="$removed = 'resolved'"><Field name="clinicalStatus_title">Resolved</Field></xsl:if><xsl:copy-of select="$over"/><xsl:if test="$past != ''"><Field name="clinicalStatus_title">Inactive</Field></xsl:if></xsl:if></xsl:variable>
      <xsl:copy-of select="exsl:node-set($resolved)/Field[1] | exsl:node-set($state)/Field[not(exsl:node-set($resolved)/Field)]"/>
      <xsl:if test="$removed = 'refuted'"><xsl:call-template name="refuted-allergy"/></xsl:if>
      <xsl:if test="$removed != 'refuted'"><xsl:call-template name="unsure-by-words"><xsl:with-param name="names" select="$allergen[@name = 'allergen_title'] | h:value/@displayName | h:value/h:originalText[normalize-space()]"/><xsl:with-param name="kind" select="'allergyintolerance-verification'"/></xsl:call-template></xsl:if>
      <Field name="onset"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></Field>
    </xsl:variable>
    <xsl:variable name="whose"><Of><xsl:call-template name="identity"/></Of></xsl:variable>
    <xsl:variable name="id" select="exsl:node-set($whose)/Of/@*"/>
    <xsl:variable name="within" select="h:entryRelationship/h:observation[h:code/@code = 'SEV' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.8']/h:value[1]"/>
    <xsl:variable name="severities" select="$within | $beside[not($within)]"/>
    <xsl:variable name="first-severity" select="$severities[1]"/>
    <xsl:variable name="reacted" select="h:entryRelationship[@typeCode = 'MFST' or h:observation/h:templateId/@root = '2.16.840.1.113883.10.20.22.4.9']/h:observation[not(@negationInd[contains($yes, concat('|', ., '|'))])]"/>
    <!-- The fact has the severity of its reaction; what the document says about the whole allergy is kept in words. -->
    <xsl:variable name="whole" select="$first-severity[@displayName != '']
                                       [$reacted/h:entryRelationship/h:observation[h:code/@code = 'SEV' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.8']/h:value[1]/@displayName != $first-severity/@displayName]"/>
    <xsl:variable name="reactions">
      <xsl:for-each select="$reacted">
        <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'allergic_reaction'"/><xsl:with-param name="whole" select="h:value"/><xsl:with-param name="prefer" select="$snomed"/></xsl:call-template></xsl:variable>
        <xsl:variable name="none"><xsl:call-template name="no-reaction"><xsl:with-param name="name" select="exsl:node-set($named)/Field"/></xsl:call-template></xsl:variable>
        <xsl:variable name="own" select="h:entryRelationship/h:observation[h:code/@code = 'SEV' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.8']/h:value[1]"/>
        <xsl:if test="$none != ''"><None><xsl:value-of select="$none"/></None></xsl:if>
        <xsl:if test="exsl:node-set($named)/Field[$none = ''] or $own">
          <Reaction>
            <xsl:copy-of select="exsl:node-set($named)/Field[$none = '']"/>
            <xsl:call-template name="named"><xsl:with-param name="field" select="'severity'"/><xsl:with-param name="whole" select="($own | $first-severity[not($own)])[1]"/><xsl:with-param name="prefer" select="$snomed"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
          </Reaction>
        </xsl:if>
      </xsl:for-each>
    </xsl:variable>
    <xsl:variable name="notes">
      <Field name="notes">
        <xsl:apply-templates select="." mode="comments"/><xsl:call-template name="own-words"><xsl:with-param name="name" select="$allergen"/></xsl:call-template>
        <xsl:if test="$as-active"> The sender’s entry has the status active.</xsl:if>
        <xsl:for-each select="exsl:node-set($told)/r[1][$removed != ''][normalize-space()]"><xsl:value-of select="concat(' In the words of the source: ', normalize-space(), '.')"/></xsl:for-each>
        <xsl:value-of select="$past"/>
        <xsl:for-each select="exsl:node-set($reactions)/None[not(. = preceding-sibling::None)]"><xsl:value-of select="."/></xsl:for-each>
        <xsl:for-each select="h:participant/h:participantRole/h:playingEntity/h:code[@code and h:originalText]">
          <xsl:variable name="text"><xsl:apply-templates select="h:originalText[1]" mode="text"/></xsl:variable>
          <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$text"/></xsl:call-template></xsl:variable>
          <xsl:variable name="known"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$allergen[@name = 'allergen_title']"/></xsl:call-template></xsl:variable>
          <xsl:if test="str:tokenize($spoken, ' ,;:.()[]/*!-')[not(contains(concat(' ', translate($known, ',;:.()[]/*!-', '           '), ' '), concat(' ', ., ' ')))]"><xsl:value-of select="concat(' In the words of the source: ', normalize-space($text), '.')"/></xsl:if>
        </xsl:for-each>
        <xsl:for-each select="$whole"> Severity of the allergy as a whole: <xsl:value-of select="@displayName"/>.</xsl:for-each>
        <xsl:call-template name="until"/>
        <xsl:for-each select="$reacted">
          <xsl:variable name="day"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
          <!-- "Mild rash only" beside the code of a rash. -->
          <xsl:for-each select="h:value[@displayName][h:originalText]">
            <xsl:variable name="text"><xsl:apply-templates select="h:originalText[1]" mode="text"/></xsl:variable>
            <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="$text"/></xsl:call-template></xsl:variable>
            <xsl:variable name="known"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="translate(@displayName, ',;:.()[]/*!-', '           ')"/></xsl:call-template></xsl:variable>
            <xsl:if test="string-length($spoken) &lt; 300 and str:tokenize($spoken, ' ,;:.()[]/*!-')[not(contains(concat(' ', $known, ' '), concat(' ', ., ' ')))]"><xsl:value-of select="concat(' Reaction: ', normalize-space($text), '.')"/></xsl:if>
          </xsl:for-each>
          <xsl:if test="$day != ''"><xsl:value-of select="concat(' Reaction on ', substring($day, 1, 10), '.')"/></xsl:if>
          <xsl:variable name="remark"><xsl:apply-templates select="." mode="comments"/></xsl:variable>
          <xsl:if test="normalize-space($remark) != ''"><xsl:value-of select="concat(' ', normalize-space($remark))"/></xsl:if>
        </xsl:for-each>
        <xsl:call-template name="observed-beside"><xsl:with-param name="known" select="$reacted | h:entryRelationship/h:observation[h:code/@code = '33999-4' or h:code/@code = 'SEV' or h:code/@code = '82606-5' or h:templateId[@root = '2.16.840.1.113883.10.20.22.4.28' or @root = '2.16.840.1.113883.10.20.22.4.8' or @root = '2.16.840.1.113883.10.20.22.4.9' or @root = '2.16.840.1.113883.10.20.22.4.145']]"/></xsl:call-template>
        <xsl:for-each select="h:entryRelationship/h:observation[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.9'][@negationInd[contains($yes, concat('|', ., '|'))]]"><xsl:call-template name="said-of"><xsl:with-param name="label" select="'No such reaction'"/><xsl:with-param name="whole" select="h:value"/></xsl:call-template></xsl:for-each>
        <xsl:for-each select="$reacted/h:entryRelationship/h:substanceAdministration/h:consumable/h:manufacturedProduct/h:manufacturedMaterial"><xsl:call-template name="said-of"><xsl:with-param name="label" select="'Treated with'"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="or" select="h:name"/></xsl:call-template></xsl:for-each>
        <xsl:call-template name="tracking"/>
      </Field>
    </xsl:variable>
    <xsl:variable name="most" select="200000 div string-length($notes)"/>
    <xsl:for-each select="exsl:node-set($reactions)/Reaction">
      <Model name="Allergy">
        <xsl:copy-of select="$id"/>
        <xsl:copy-of select="$common"/>
        <xsl:copy-of select="Field"/>
        <!-- Comments are only in the first fact if many facts would make them very long. -->
        <xsl:if test="position() = 1 or last() &lt;= $most"><xsl:copy-of select="$notes"/></xsl:if>
      </Model>
    </xsl:for-each>
    <xsl:if test="not(exsl:node-set($reactions)/Reaction)">
      <Model name="Allergy">
        <xsl:call-template name="identity"/>
        <xsl:copy-of select="$common"/>
        <xsl:copy-of select="$notes"/>
        <xsl:call-template name="named"><xsl:with-param name="field" select="'severity'"/><xsl:with-param name="whole" select="$severities[1]"/><xsl:with-param name="prefer" select="$snomed"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
      </Model>
    </xsl:if>
  </xsl:template>

  <!-- The kind as the sender says it: in value, or in code for earlier releases. -->
  <xsl:template name="allergy-kind">
    <xsl:variable name="kind" select="(h:value[@code = $tables/category/@code or h:translation/@code = $tables/category/@code] | h:code[@code = $tables/category/@code])[last()]"/>
    <xsl:call-template name="named">
      <xsl:with-param name="field" select="'category'"/>
      <xsl:with-param name="whole" select="$kind"/>
      <xsl:with-param name="prefer" select="$snomed"/>
      <xsl:with-param name="around" select="false()"/>
    </xsl:call-template>
  </xsl:template>

  <xsl:template name="allergen-in">
    <xsl:param name="field"/>
    <xsl:param name="code"/>
    <xsl:if test="$code">
      <xsl:call-template name="named"><xsl:with-param name="field" select="$field"/><xsl:with-param name="whole" select="$code"/><xsl:with-param name="only" select="true()"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- ============================================================ medications -->

  <xsl:template match="*" mode="Medication"><LeftOut model="Medication" reason="not_supported"/></xsl:template>

  <xsl:template match="h:act | h:organizer" mode="Medication">
    <xsl:param name="given"/>
    <xsl:variable name="parts" select="(h:entryRelationship | h:component)/*[self::h:substanceAdministration or self::h:supply[h:product]]"/>
    <xsl:apply-templates select="$parts" mode="Medication"><xsl:with-param name="given" select="$given"/></xsl:apply-templates>
    <xsl:if test="not($parts)"><LeftOut model="Medication" reason="not_supported"/></xsl:if>
  </xsl:template>

  <!-- A supply on its own is a medication that was ordered or handed out. -->
  <xsl:template match="h:substanceAdministration | h:supply" mode="Medication">
    <xsl:param name="given"/>
    <xsl:variable name="product" select="(h:consumable | h:product)/h:manufacturedProduct/*[self::h:manufacturedMaterial or self::h:manufacturedLabeledDrug]"/>
    <!-- European documents may name the ingredients only, in a namespace of their own, and say in the statement's code that there is none. -->
    <xsl:variable name="own-name" select="$product/h:code[@code != '' or @displayName != '' or h:originalText or h:translation] | $product/h:name[normalize-space()]"/>
    <xsl:variable name="ingredients" select="$product/*[local-name() = 'ingredient']//*[local-name() = 'code'][@displayName != '']"/>
    <xsl:variable name="mixture"><name><xsl:for-each select="$ingredients"><xsl:value-of select="concat(substring(' / ', 1, 3 * (position() > 1)), @displayName)"/></xsl:for-each></name></xsl:variable>
    <xsl:variable name="none-of-its-own" select="not($own-name)"/>
    <xsl:variable name="named">
      <xsl:call-template name="named">
        <xsl:with-param name="field" select="'drugName'"/>
        <xsl:with-param name="whole" select="$product/h:code | $ingredients[$none-of-its-own][last() = 1] | h:code[starts-with(@code, 'no-') or @code = '182849000' or @code = '787481004'][$none-of-its-own]"/>
        <xsl:with-param name="prefer" select="$rxnorm"/>
        <xsl:with-param name="label" select="$product/h:name | exsl:node-set($mixture)/name[$none-of-its-own]"/>
      </xsl:call-template>
    </xsl:variable>
    <xsl:variable name="name" select="exsl:node-set($named)/Field"/>
    <xsl:variable name="course" select="(h:effectiveTime | h:effectiveTime/h:comp)[not(h:period) and not(h:event)][@value or h:low/@value or h:high/@value][1]"/>
    <xsl:variable name="start"><xsl:call-template name="time"><xsl:with-param name="ts" select="($course/@value | $course/h:low/@value)[1]"/></xsl:call-template></xsl:variable>
    <!-- A later step of the same medicine ends later, or not at all. -->
    <xsl:variable name="steps" select="h:entryRelationship[@typeCode = 'COMP']/h:substanceAdministration/h:effectiveTime[not(h:period) and not(h:event)][@value or h:low/@value or h:high/@value]"/>
    <xsl:variable name="last"><xsl:if test="not(($course | $steps)[not(h:high/@value)])"><xsl:for-each select="($course | $steps)/h:high/@value"><xsl:sort select="." order="descending"/><xsl:if test="position() = 1"><xsl:value-of select="."/></xsl:if></xsl:for-each></xsl:if></xsl:variable>
    <xsl:variable name="end"><xsl:call-template name="time"><xsl:with-param name="ts" select="string($last)"/></xsl:call-template></xsl:variable>
    <xsl:variable name="fills" select="h:entryRelationship/h:supply[@moodCode = 'EVN'] | self::h:supply[@moodCode = 'EVN']"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"><xsl:with-param name="intended-too" select="true()"/></xsl:apply-templates></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="not($name)">no_code</xsl:when>
        <xsl:otherwise>
          <xsl:variable name="absence"><xsl:call-template name="absence"><xsl:with-param name="name" select="$name"/><xsl:with-param name="model" select="'Medication'"/></xsl:call-template></xsl:variable>
          <xsl:value-of select="$absence"/>
          <xsl:variable name="whose"><xsl:if test="$absence = ''"><xsl:call-template name="of-relative"><xsl:with-param name="name" select="$name[@name = 'drugName_title']"/></xsl:call-template></xsl:if></xsl:variable>
          <xsl:value-of select="$whose"/>
          <xsl:if test="$absence = '' and $whose = ''">
            <xsl:variable name="said-beside"><r><xsl:apply-templates select="." mode="comments"/></r><r><xsl:call-template name="told-how"/></r></xsl:variable>
            <xsl:call-template name="not-counted"><xsl:with-param name="names" select="$name[@name = 'drugName_title'] | $product/h:code/h:originalText | $product/h:code/@displayName | $product/h:name"/><xsl:with-param name="remarks" select="exsl:node-set($said-beside)/r"/><xsl:with-param name="model" select="'Medication'"/></xsl:call-template>
          </xsl:if>
        </xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:variable name="none">
      <xsl:if test="$why = 'negated' and self::h:substanceAdministration and $end = ''">
        <xsl:call-template name="none-here">
          <xsl:with-param name="name" select="$name"/>
          <xsl:with-param name="model" select="'Medication'"/>
          <xsl:with-param name="ended" select="h:statusCode[@code = 'aborted' or @code = 'suspended' or @code = 'cancelled']"/>
        </xsl:call-template>
      </xsl:if>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="exsl:node-set($none)/Model"><xsl:copy-of select="$none"/></xsl:when>
      <xsl:when test="$why != ''">
        <LeftOut model="Medication" reason="{$why}"/>
        <xsl:call-template name="taken-back"><xsl:with-param name="why" select="$why"/><xsl:with-param name="model" select="'Medication'"/><xsl:with-param name="name" select="$name[@name = 'drugName_title']"/></xsl:call-template>
        <xsl:for-each select="$fills[generate-id() != generate-id(current())]"><LeftOut model="Fill" reason="no_medication"/></xsl:for-each>
      </xsl:when>
      <xsl:otherwise>
        <xsl:variable name="filled"><xsl:apply-templates select="$fills" mode="Fill"/></xsl:variable>
        <xsl:variable name="how"><xsl:call-template name="told-how"/></xsl:variable>
        <xsl:variable name="remarks"><xsl:apply-templates select="." mode="comments"/></xsl:variable>
        <xsl:variable name="row"><xsl:call-template name="cells-beside"><xsl:with-param name="references" select="(h:text | $product/h:code/h:originalText)/h:reference"/></xsl:call-template></xsl:variable>
        <xsl:variable name="beside"><xsl:call-template name="said-of-taking"><xsl:with-param name="product" select="$product"/></xsl:call-template><r><xsl:value-of select="$remarks"/></r><r><xsl:value-of select="$how"/></r></xsl:variable>
        <xsl:variable name="drug" select="$name[@name = 'drugName_title']"/>
        <xsl:variable name="past"><xsl:call-template name="past-list"><xsl:with-param name="title" select="ancestor::h:section[1]/h:title"/></xsl:call-template></xsl:variable>
        <xsl:variable name="given-then"><xsl:call-template name="given-list"><xsl:with-param name="title" select="ancestor::h:section[1]/h:title"/></xsl:call-template></xsl:variable>
        <!-- The status observation takes precedence over the status of the act. -->
        <xsl:variable name="said" select="h:entryRelationship/h:observation[h:code/@code = '33999-4' or h:templateId/@root = '2.16.840.1.113883.10.20.1.47']/h:value[@code or @displayName or h:originalText][1]"/>
        <!-- A status in several words, "Not-Taking/PRN", may say so; one word such as "Discontinued" is a status by itself. -->
        <xsl:variable name="phrase" select="($said/@displayName | $said/h:originalText)[translate(normalize-space(), ' -/', '') != normalize-space()]"/>
        <xsl:variable name="untaken-cells"><xsl:for-each select="exsl:node-set($row)/cell"><xsl:variable name="one"><xsl:call-template name="says-untaken"><xsl:with-param name="remarks" select="."/><xsl:with-param name="drug" select="$drug"/></xsl:call-template></xsl:variable><xsl:if test="$one != ''"><cell says="{$one}"><xsl:value-of select="concat(' In the words of the source: ', ., '.')"/></cell></xsl:if></xsl:for-each></xsl:variable>
        <xsl:variable name="untaken"><xsl:call-template name="says-untaken"><xsl:with-param name="remarks" select="$drug | $phrase | exsl:node-set($beside)/r"/><xsl:with-param name="drug" select="$drug"/></xsl:call-template><xsl:for-each select="exsl:node-set($untaken-cells)/cell"><xsl:value-of select="@says"/></xsl:for-each></xsl:variable>
        <!-- What is not taken until then is on hold, also where another remark only says that it is not taken. -->
        <xsl:variable name="until-then" select="contains($untaken, 'hold')"/>
        <xsl:variable name="stop"><xsl:call-template name="says-stop"><xsl:with-param name="said" select="$how"/><xsl:with-param name="drug" select="$drug[not($until-then)]"/></xsl:call-template><xsl:value-of select="concat(substring($untaken, 1, 99 * not($until-then)), $past)"/></xsl:variable>
        <xsl:variable name="held"><xsl:call-template name="says-held"><xsl:with-param name="remarks" select="exsl:node-set($beside)/r"/><xsl:with-param name="drug" select="$drug"/></xsl:call-template><xsl:if test="$until-then">yes</xsl:if></xsl:variable>
        <!-- What was given in the hospital is over, unless its own status says more than that it is active. -->
        <xsl:variable name="given-over" select="$given-then != '' and $stop = '' and not($said[not(@code = '55561003')] or h:statusCode[not(@code = 'active' or @code = 'completed')])"/>
        <xsl:variable name="doubt"><xsl:if test="$stop = '' and $held = '' and not($given-over) and ($said/@code = '55561003' or not($said) and (h:statusCode/@code = 'active' or not(h:statusCode/@code)) or not($said) and h:statusCode/@code = 'completed' and $given = '')"><xsl:call-template name="says-doubtful"><xsl:with-param name="names" select="$drug"/><xsl:with-param name="remarks" select="exsl:node-set($beside)/r"/></xsl:call-template></xsl:if></xsl:variable>
        <Model name="Medication">
          <xsl:call-template name="identity"/>
          <xsl:copy-of select="$name"/>
          <Field name="startDate"><xsl:value-of select="substring($start, 1, 10)"/></Field>
          <Field name="endDate"><xsl:value-of select="substring($end, 1, 10)"/></Field>
          <Field name="strength"><xsl:apply-templates select="$product" mode="strength"/></Field>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'form'"/><xsl:with-param name="whole" select="$product/*[local-name() = 'formCode']"/><xsl:with-param name="prefer" select="$snomed"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
          <!-- The way in which all of it is taken; steps may say another one. -->
          <xsl:if test="not(h:entryRelationship/h:substanceAdministration/h:routeCode/@code != h:routeCode/@code)">
            <xsl:call-template name="named"><xsl:with-param name="field" select="'route'"/><xsl:with-param name="whole" select="h:routeCode[1]"/><xsl:with-param name="prefer" select="$snomed"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
          </xsl:if>
          <!-- The service puts dosages into words, and fills dose and frequency where these say all of it. -->
          <Field name="dosage"><xsl:call-template name="dosages"/></Field>
          <Field name="notes">
            <xsl:apply-templates select="." mode="comments"/>
            <xsl:for-each select="$product/h:code[@code or h:translation/@code]/h:originalText[normalize-space()][normalize-space() != $name[@name = 'drugName_title']]"><xsl:value-of select="concat(' In the words of the source: ', normalize-space(), '.')"/></xsl:for-each>
            <xsl:if test="($stop != '' or $held != '' or $doubt != '' or ($given-over and h:statusCode/@code != 'completed')) and h:statusCode/@code"><xsl:value-of select="concat(' The sender&#x2019;s entry has the status ', h:statusCode/@code, '.')"/></xsl:if>
            <xsl:for-each select="$phrase[$stop != '' or $held != '']"><xsl:value-of select="concat(' In the words of the source: ', normalize-space(), '.')"/></xsl:for-each>
            <xsl:value-of select="concat($untaken-cells, $past, substring($given-then, 1, 999 * ($given-over and not($given = 'administration' and h:statusCode/@code = 'completed'))))"/>
            <xsl:call-template name="reasons"/>
            <xsl:call-template name="observed-of"/>
            <xsl:for-each select="h:participant[@typeCode = 'CSM']/h:participantRole/h:playingEntity"><xsl:call-template name="said-of"><xsl:with-param name="label" select="'In'"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="or" select="h:name"/></xsl:call-template></xsl:for-each>
            <xsl:call-template name="informant"/>
            <xsl:call-template name="prescribed"/>
            <xsl:apply-templates select="$product" mode="use-by"><xsl:with-param name="what" select="'Medicine'"/></xsl:apply-templates>
          </Field>
          <xsl:variable name="provenance">
            <xsl:choose>
              <xsl:when test="@moodCode = 'INT' or @moodCode = 'RQO'">prescription</xsl:when>
              <xsl:when test="self::h:supply">fulfillment</xsl:when>
              <xsl:when test="$given-over">administration</xsl:when>
              <xsl:when test="$given = '' and h:informant/*/h:id[key('person-id', concat(@root, '|', @extension))]">patientReport</xsl:when>
              <xsl:otherwise><xsl:value-of select="$given"/></xsl:otherwise>
            </xsl:choose>
          </xsl:variable>
          <xsl:if test="$provenance != ''">
            <xsl:call-template name="listed">
              <xsl:with-param name="field" select="'provenance'"/>
              <xsl:with-param name="code" select="string($provenance)"/>
              <xsl:with-param name="system" select="concat($list-uri, 'MedicationProvenance#')"/>
            </xsl:call-template>
          </xsl:if>
          <!-- "completed" says that the statement is complete, and not that the medicine is over: its end says that. What
               was given or handed out once is over. -->
          <xsl:choose>
            <xsl:when test="$stop != ''"><xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="'aborted'"/><xsl:with-param name="system" select="$act-status"/></xsl:call-template></xsl:when>
            <xsl:when test="$held != ''"><xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="'suspended'"/><xsl:with-param name="system" select="$act-status"/></xsl:call-template></xsl:when>
            <!-- Nobody can tell whether it is taken. -->
            <xsl:when test="$doubt != ''"><Field name="status_title">Unknown</Field></xsl:when>
            <xsl:when test="$given-over"><xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="'completed'"/><xsl:with-param name="system" select="$act-status"/></xsl:call-template></xsl:when>
            <xsl:when test="$said or h:statusCode/@code != 'completed' or $given = 'administration' or self::h:supply">
              <xsl:call-template name="status"><xsl:with-param name="said" select="$said"/></xsl:call-template>
            </xsl:when>
          </xsl:choose>
          <xsl:call-template name="intent"/>
          <xsl:if test="@moodCode = 'INT' or @moodCode = 'RQO'"><xsl:call-template name="ordered"/><xsl:call-template name="prescriber"/></xsl:if>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'reason'"/><xsl:with-param name="whole" select="h:entryRelationship[@typeCode = 'RSON'][1]/h:observation[not(@negationInd[contains($yes, concat('|', ., '|'))])]/h:value"/><xsl:with-param name="prefer" select="$snomed"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
          <xsl:call-template name="visit"/>
          <xsl:if test="exsl:node-set($filled)/Model">
            <Field name="fulfillments"><Models><xsl:copy-of select="exsl:node-set($filled)/Model"/></Models></Field>
          </xsl:if>
        </Model>
        <xsl:copy-of select="exsl:node-set($filled)/LeftOut"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- What stands beside a medicine, in its own names and instructions, of whether it is taken: each in an `r`. -->
  <xsl:template name="said-of-taking">
    <xsl:param name="product"/>
    <xsl:variable name="seen" select="h:entryRelationship/h:observation[not(h:code/@code = '33999-4')][not(@negationInd[contains($yes, concat('|', ., '|'))])]"/>
    <xsl:for-each select="$seen/h:value"><r><xsl:value-of select="concat(../h:code/@displayName, ': ', @displayName, @value, substring(., 1, 200 * not(@displayName)))"/></r></xsl:for-each>
    <xsl:for-each select="$seen/h:value/h:originalText | h:entryRelationship/h:act/h:text | $product/h:code/h:originalText"><r><xsl:apply-templates select="." mode="text"/></r></xsl:for-each>
    <xsl:for-each select="$product/h:name | $product/h:code//@displayName | h:text"><r><xsl:apply-templates select="self::h:*" mode="text"/><xsl:value-of select="substring(., 1, 300 * not(self::h:*))"/></r></xsl:for-each>
  </xsl:template>

  <!-- The texts of the row to which the first of the references leads, each with the head of its column before it, or
       those of its item of a list. -->
  <xsl:template name="cells-beside">
    <xsl:param name="references"/>
    <xsl:for-each select="$references[1]">
      <xsl:for-each select="key('narrative', translate(@value, '#', ''))[1]/ancestor-or-self::*[self::h:tr or self::h:item][1]">
        <xsl:for-each select="h:td | self::h:item">
          <xsl:variable name="place" select="count(preceding-sibling::h:td | preceding-sibling::h:th) + 1"/>
          <xsl:variable name="head" select="normalize-space((ancestor::h:table[1]/h:thead/h:tr)[1]/h:th[$place][parent::h:tr[not(h:th/@colspan)]])"/>
          <xsl:for-each select=".//text()[normalize-space()][string-length() &lt;= 200]"><cell><xsl:value-of select="concat($head, substring(': ', 1, 2 * ($head != '')), normalize-space())"/></cell></xsl:for-each>
        </xsl:for-each>
      </xsl:for-each>
    </xsl:for-each>
  </xsl:template>

  <!-- How much of each ingredient is in one, or in the amount that is said, as European documents have it. Nothing unless it
       is said of all of them. -->
  <xsl:template match="*" mode="strength">
    <xsl:variable name="parts" select="*[local-name() = 'ingredient']"/>
    <xsl:if test="not($parts[not(*[local-name() = 'quantity']/*[local-name() = 'numerator'][@value != ''])])">
      <xsl:for-each select="$parts/*[local-name() = 'quantity'][1]">
        <xsl:variable name="over" select="*[local-name() = 'denominator'][@value != ''][1]"/>
        <xsl:variable name="counted" select="not($over/@unit) or $over/@unit = '1' or starts-with($over/@unit, '{')"/>
        <xsl:if test="position() > 1"> / </xsl:if>
        <xsl:value-of select="concat(*[local-name() = 'numerator'][1]/@value, ' ', *[local-name() = 'numerator'][1]/@unit)"/>
        <xsl:if test="$over and ($over/@value != 1 or not($counted))"><xsl:value-of select="concat('/', $over/@value, ' ', $over/@unit)"/></xsl:if>
      </xsl:for-each>
    </xsl:if>
  </xsl:template>

  <!-- RQO is an order, and so is a requested supply. INT alone says what somebody is meant to take, and not that
       anybody was told to hand it out. -->
  <xsl:template name="intent">
    <xsl:variable name="ordered" select="@moodCode = 'RQO' or (@moodCode = 'INT' and (. | h:entryRelationship/*)[self::h:supply[@moodCode = 'INT' or @moodCode = 'RQO'][not(@negationInd[contains($yes, concat('|', ., '|'))])]])"/>
    <xsl:if test="@moodCode = 'INT' or @moodCode = 'RQO'">
      <xsl:call-template name="listed">
        <xsl:with-param name="field" select="'intent'"/>
        <xsl:with-param name="code" select="concat(substring('order', 1, 5 * $ordered), substring('plan', 1, 4 * not($ordered)))"/>
        <xsl:with-param name="system" select="'http://hl7.org/fhir/CodeSystem/medicationrequest-intent'"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- What was ordered to be handed out: how much, how often again after the first time, and in which setting. -->
  <xsl:template name="ordered">
    <xsl:variable name="order" select="(. | h:entryRelationship/*)[self::h:supply[@moodCode = 'INT' or @moodCode = 'RQO'][not(@nullFlavor)][not(@negationInd[contains($yes, concat('|', ., '|'))])]]"/>
    <xsl:variable name="only" select="$order[not($order[2])]"/>
    <!-- The number counts the first time, too. -->
    <xsl:variable name="times" select="string($only/h:repeatNumber/@value)"/>
    <xsl:if test="$times != '' and translate($times, $digits, '') = '' and $times &gt;= 1 and string-length($times) &lt; 6"><Field name="refills"><xsl:value-of select="$times - 1"/></Field></xsl:if>
    <Field name="quantityOrdered_value"><xsl:value-of select="$only/h:quantity/@value"/></Field>
    <Field name="quantityOrdered_unit"><xsl:value-of select="$only/h:quantity[@value != '']/@unit"/></Field>
    <xsl:if test="ancestor::h:section[1]/h:code/@code[. = '10183-2' or . = '75311-1']"><Field name="setting">discharge</Field></xsl:if>
  </xsl:template>

  <!-- When somebody wrote it down first: the earliest time of an author of the statement, else of the act around it. -->
  <xsl:template name="written">
    <xsl:variable name="own" select="h:author/h:time/@value"/>
    <xsl:for-each select="$own | ancestor::h:act[1][not($own)]/h:author/h:time/@value">
      <xsl:sort select="."/>
      <xsl:if test="position() = 1"><xsl:call-template name="time"><xsl:with-param name="ts" select="string()"/></xsl:call-template></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- The visit that a statement belongs to: the encounter around it, else the one that it names by its id. -->
  <xsl:template name="visit">
    <xsl:variable name="names" select="h:entryRelationship/h:encounter/h:id[@root != '']"/>
    <xsl:variable name="around" select="ancestor::h:encounter[1]"/>
    <xsl:if test="$names or $around">
      <Field name="encounter">
        <xsl:for-each select="$around"><Link of="{generate-id()}"/></xsl:for-each>
        <xsl:for-each select="$names[not($around)]">
          <xsl:variable name="key" select="concat(@root, '|', @extension)"/>
          <xsl:for-each select="key('encounter-id', $key)/parent::h:encounter[parent::h:entry] | /h:ClinicalDocument/h:componentOf/h:encompassingEncounter[h:id[concat(@root, '|', @extension) = $key]]"><Link of="{generate-id()}"/></xsl:for-each>
        </xsl:for-each>
      </Field>
    </xsl:if>
  </xsl:template>

  <!-- The number that the sender gave, in its system. What is only a root is no number that anybody knows. -->
  <xsl:template name="own-number">
    <xsl:for-each select="h:id[@root != ''][@extension != ''][not(@nullFlavor)][1]">
      <Field name="number_identifier"><xsl:value-of select="@extension"/></Field>
      <Field name="number_title"><xsl:value-of select="@extension"/></Field>
      <Field name="number_system"><xsl:apply-templates select="@root" mode="uri"/></Field>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="@root" mode="uri">
    <xsl:variable name="oid" select="translate(., concat($digits, '.'), '') = ''"/>
    <xsl:value-of select="concat(substring('urn:oid:', 1, 8 * $oid), substring('urn:uuid:', 1, 9 * not($oid)), translate(., 'ABCDEF', 'abcdef'))"/>
  </xsl:template>

  <!-- The status as the document has it. -->
  <xsl:template name="status">
    <xsl:param name="said" select="/.."/>
    <xsl:choose>
      <xsl:when test="$said"><xsl:call-template name="named"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="whole" select="$said"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:when>
      <xsl:when test="h:statusCode/@code">
        <xsl:call-template name="listed">
          <xsl:with-param name="field" select="'status'"/>
          <xsl:with-param name="code" select="string(h:statusCode/@code)"/>
          <xsl:with-param name="system" select="$act-status"/>
        </xsl:call-template>
      </xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ dosages, in the terms of FHIR -->

  <!-- A dosage, and one more for each step of a taper or of a split dose. -->
  <xsl:template name="dosages">
    <xsl:variable name="steps" select="h:entryRelationship/h:substanceAdministration[not(h:templateId/@root = '2.16.840.1.113883.10.20.22.4.147')][h:effectiveTime or h:doseQuantity or h:rateQuantity]"/>
    <xsl:apply-templates select="." mode="dosages"><xsl:with-param name="first" select="true()"/></xsl:apply-templates>
    <xsl:for-each select="$steps">
      <xsl:apply-templates select="." mode="dosages"><xsl:with-param name="place" select="(../h:sequenceNumber/@value | ../self::*[not(h:sequenceNumber/@value)]/@typeCode)[1]"/></xsl:apply-templates>
    </xsl:for-each>
  </xsl:template>

  <!-- Times that come again and again: PIVL_TS has a period, EIVL_TS an event. When several are joined, "A" means the
       times that all of them share, and "I" the times of any of them. -->
  <xsl:template match="*" mode="dosages">
    <xsl:param name="first" select="false()"/>
    <xsl:param name="place"/>
    <xsl:variable name="all" select="h:effectiveTime[not(h:comp)] | h:effectiveTime//h:comp[not(h:comp)]"/>
    <xsl:variable name="times" select="$all[h:period or h:event or h:phase]"/>
    <xsl:variable name="periods" select="$times[not(h:event)]"/>
    <xsl:variable name="events" select="$times[h:event]"/>
    <xsl:variable name="courses" select="$all[not(h:period or h:event or h:phase)][@value or h:low/@value or h:high/@value or h:width/@value or h:center/@value]"/>
    <xsl:variable name="operators" select="(h:effectiveTime | h:effectiveTime//h:comp)/@operator"/>
    <xsl:variable name="offsets" select="$events/h:offset"/>
    <xsl:variable name="how">
      <xsl:choose>
        <xsl:when test="$operators[. != 'A' and . != 'I']">words</xsl:when>
        <xsl:when test="count($times) &lt;= 1">one</xsl:when>
        <xsl:when test="not($periods) and not($offsets)">one</xsl:when>
        <xsl:when test="not($periods)">each</xsl:when>
        <xsl:when test="count($periods) = 1 and $times[position() > 1][@operator = 'A'] and count($times[position() > 1][@operator = 'A']) = count($times) - 1 and not($offsets[2])">one</xsl:when>
        <xsl:when test="$times[position() > 1][@operator = 'A']">words</xsl:when>
        <xsl:when test="not($events) or count($times[position() > 1][@operator = 'I']) = count($times) - 1">each</xsl:when>
        <xsl:otherwise>words</xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:variable name="self" select="."/>
    <xsl:choose>
      <xsl:when test="$how = 'each'">
        <xsl:for-each select="$times">
          <xsl:variable name="position" select="position()"/>
          <xsl:variable name="time" select="."/>
          <xsl:for-each select="$self">
            <xsl:call-template name="dosage">
              <xsl:with-param name="first" select="$first and $position = 1"/>
              <xsl:with-param name="place" select="$place"/>
              <xsl:with-param name="times" select="$time"/>
              <xsl:with-param name="courses" select="$courses[$position = 1 or not($first)]"/>
            </xsl:call-template>
          </xsl:for-each>
        </xsl:for-each>
      </xsl:when>
      <xsl:otherwise>
        <xsl:call-template name="dosage">
          <xsl:with-param name="first" select="$first"/>
          <xsl:with-param name="place" select="$place"/>
          <xsl:with-param name="times" select="$times[$how = 'one']"/>
          <xsl:with-param name="raw" select="$times[$how = 'words']"/>
          <xsl:with-param name="courses" select="$courses"/>
        </xsl:call-template>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="dosage">
    <xsl:param name="first"/>
    <xsl:param name="place"/>
    <xsl:param name="times"/>
    <xsl:param name="raw" select="/.."/>
    <xsl:param name="courses"/>
    <xsl:variable name="told"><xsl:if test="$first or h:text"><xsl:call-template name="told-how"/></xsl:if></xsl:variable>
    <!-- The course of the whole is in the dates of the fact, as far as it has a beginning or an end. -->
    <xsl:variable name="course" select="$courses[1]"/>
    <Dosage>
      <xsl:for-each select="$raw"><xsl:apply-templates select="." mode="raw"/></xsl:for-each>
      <xsl:for-each select="$courses[position() > 1 or (h:center and not(h:low))]"><xsl:apply-templates select="." mode="raw"/></xsl:for-each>
      <xsl:for-each select="$times"><xsl:apply-templates select="." mode="beside"/></xsl:for-each>
      <!-- What is no number, such as "1,5", stays as it is written. -->
      <xsl:for-each select="(h:doseQuantity | h:rateQuantity | h:maxDoseQuantity[1])[h:width or h:center or (@value | */@value)[. != ''][number(.) != number(.)] or (not(@value or */@value[parent::h:low or parent::h:high or parent::h:numerator]) and h:translation)] | h:maxDoseQuantity[position() > 1]"><xsl:apply-templates select="." mode="raw"/></xsl:for-each>
      <xsl:if test="$first"><xsl:for-each select="(h:effectiveTime | h:effectiveTime//h:comp)[not(h:period or h:event or h:phase)]/*[local-name() = 'frequency']"><xsl:apply-templates select="." mode="raw"/></xsl:for-each></xsl:if>
      <xsl:for-each select="h:repeatNumber[parent::h:substanceAdministration][(@value | */@value)[. != ''][number(.) != number(.)] or @value > 1 or h:low/@value > 1 or h:high/@value > 1]"><xsl:apply-templates select="." mode="raw"/></xsl:for-each>
      <xsl:choose>
        <xsl:when test="$place != '' and translate($place, $digits, '') = ''"><sequence value="{$place}"/></xsl:when>
      </xsl:choose>
      <xsl:if test="normalize-space($told) != ''"><text value="{normalize-space($told)}"/></xsl:if>
      <xsl:if test="$first or not(h:consumable)"><xsl:call-template name="patient-instructions"><xsl:with-param name="told" select="string($told)"/></xsl:call-template></xsl:if>
      <xsl:variable name="repeat"><xsl:call-template name="repeat"><xsl:with-param name="times" select="$times"/><xsl:with-param name="course" select="$course"/><xsl:with-param name="first" select="$first"/></xsl:call-template></xsl:variable>
      <xsl:if test="exsl:node-set($repeat)/*"><timing><repeat><xsl:copy-of select="$repeat"/></repeat></timing></xsl:if>
      <xsl:if test="$first or h:precondition"><xsl:call-template name="needed"/></xsl:if>
      <xsl:call-template name="concept-of"><xsl:with-param name="element" select="'site'"/><xsl:with-param name="code" select="h:approachSiteCode"/></xsl:call-template>
      <xsl:call-template name="concept-of"><xsl:with-param name="element" select="'route'"/><xsl:with-param name="code" select="h:routeCode"/></xsl:call-template>
      <xsl:call-template name="dose"/>
      <xsl:for-each select="h:maxDoseQuantity[1][h:numerator/@value][not((@value | */@value)[. != ''][number(.) != number(.)])]">
        <maxDosePerPeriod>
          <numerator><xsl:apply-templates select="h:numerator" mode="quantity"/></numerator>
          <xsl:if test="h:denominator/@value"><denominator><xsl:apply-templates select="h:denominator" mode="quantity"/></denominator></xsl:if>
        </maxDosePerPeriod>
      </xsl:for-each>
    </Dosage>
  </xsl:template>

  <!-- Units of time have the same codes in UCUM and in FHIR. -->
  <xsl:variable name="time-units" select="'|s|min|h|d|wk|mo|a|'"/>

  <xsl:template name="repeat">
    <xsl:param name="times"/>
    <xsl:param name="course"/>
    <xsl:param name="first"/>
    <xsl:variable name="period" select="$times/h:period"/>
    <xsl:variable name="every" select="($period/@value | $period/h:low/@value)[1]"/>
    <xsl:variable name="most" select="$period/h:high/@value[. != $every]"/>
    <xsl:variable name="unit" select="($period/@unit | $period/h:low/@unit | $period/h:high/@unit)[1]"/>
    <xsl:variable name="counted" select="$period/../@institutionSpecified = 'true' and not($most)"/>
    <xsl:variable name="hours" select="number($every) * (($unit = 'h') + 24 * ($unit = 'd'))"/>
    <xsl:variable name="phase" select="$times/h:phase"/>
    <xsl:variable name="begins" select="string(($phase/@value | $phase/h:low/@value)[1])"/>
    <xsl:variable name="width" select="$phase/h:width[contains($time-units, concat('|', @unit, '|'))]"/>
    <!-- The bounds of a step are its own; those of the whole are the dates of the fact. -->
    <xsl:choose>
      <xsl:when test="$course/h:width/@value and contains($time-units, concat('|', $course/h:width/@unit, '|')) and not($course/h:high/@value)">
        <boundsDuration><xsl:apply-templates select="$course/h:width" mode="quantity"/></boundsDuration>
      </xsl:when>
      <xsl:when test="not($first) and $course">
        <boundsPeriod>
          <xsl:variable name="from"><xsl:call-template name="time"><xsl:with-param name="ts" select="($course/@value | $course/h:low/@value)[1]"/></xsl:call-template></xsl:variable>
          <xsl:variable name="until"><xsl:call-template name="time"><xsl:with-param name="ts" select="$course/h:high/@value"/></xsl:call-template></xsl:variable>
          <xsl:if test="$from != ''"><start value="{$from}"/></xsl:if>
          <xsl:if test="$until != ''"><end value="{$until}"/></xsl:if>
        </boundsPeriod>
      </xsl:when>
    </xsl:choose>
    <xsl:if test="$width/@value"><duration value="{$width/@value}"/><durationUnit value="{$width/@unit}"/></xsl:if>
    <xsl:choose>
      <xsl:when test="not(number($every) &gt; 0) or not(contains($time-units, concat('|', $unit, '|')))"/>
      <!-- The place of care chooses the times: every 12 hours means twice a day. -->
      <xsl:when test="$counted and $hours &gt; 0 and 24 mod $hours = 0"><frequency value="{24 div $hours}"/><period value="1"/><periodUnit value="d"/></xsl:when>
      <xsl:when test="$begins != '' and ($hours = 24 or $hours = 168)"><frequency value="1"/><period value="1"/><periodUnit value="{substring('dwk', 1 + ($hours = 168), 1 + ($hours = 168))}"/></xsl:when>
      <xsl:otherwise>
        <frequency value="1"/><period value="{$every}"/>
        <xsl:if test="$most"><periodMax value="{$most}"/></xsl:if>
        <periodUnit value="{$unit}"/>
      </xsl:otherwise>
    </xsl:choose>
    <!-- The phase of a day is a time of the day; the phase of a week is a day of the week. -->
    <xsl:if test="$hours = 168 or ($unit = 'wk' and $every = 1)">
      <xsl:call-template name="day-of-week"><xsl:with-param name="ts" select="$begins"/></xsl:call-template>
    </xsl:if>
    <xsl:if test="$hours = 24 or $hours = 168 or ($unit = 'wk' and $every = 1)">
      <xsl:variable name="clock" select="substring-before(concat(translate($begins, '+.', '--'), '-'), '-')"/>
      <xsl:if test="string-length($clock) &gt;= 12"><timeOfDay value="{substring($clock, 9, 2)}:{substring($clock, 11, 2)}:{substring(concat($clock, '00'), 13, 2)}"/></xsl:if>
    </xsl:if>
    <xsl:for-each select="$times/h:event[contains($moments, concat('|', @code, '|'))]">
      <xsl:variable name="minutes"><xsl:apply-templates select="../h:offset" mode="minutes"/></xsl:variable>
      <when value="{substring('A', 1, starts-with($minutes, '-') and starts-with(@code, 'C'))}{@code}"/>
    </xsl:for-each>
    <xsl:for-each select="$times[contains($moments, concat('|', h:event/@code, '|'))]/h:offset[1]">
      <xsl:variable name="minutes"><xsl:apply-templates select="." mode="minutes"/></xsl:variable>
      <xsl:if test="$minutes != ''"><offset value="{translate($minutes, '-', '')}"/></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <xsl:variable name="moments" select="'|HS|WAKE|C|CM|CD|CV|AC|ACM|ACD|ACV|PC|PCM|PCD|PCV|IC|ICM|ICD|ICV|'"/>

  <!-- The minutes of one offset from an event, negative before it; empty when it has two ends, when they do not fit
       the event, or when they are no whole minutes. -->
  <xsl:template match="h:offset" mode="minutes">
    <xsl:variable name="one" select="(@value | h:low/@value)[1]"/>
    <xsl:variable name="unit" select="(@unit | h:low/@unit)[1]"/>
    <xsl:variable name="ends" select="h:high[@value and not(@value = $one and @unit = $unit)] | h:width | h:center"/>
    <xsl:variable name="minutes" select="number($one) * (($unit = 'min') + 60 * ($unit = 'h') + ($unit = 's') div 60)"/>
    <xsl:variable name="code" select="../h:event/@code"/>
    <xsl:if test="not($ends) and $minutes = floor($minutes) and contains('|s|min|h|', concat('|', $unit, '|'))">
      <xsl:choose>
        <xsl:when test="$minutes = 0">0</xsl:when>
        <xsl:when test="$minutes &lt; 0 and (starts-with($code, 'AC') or starts-with($code, 'C'))"><xsl:value-of select="$minutes"/></xsl:when>
        <xsl:when test="$minutes &gt; 0 and (starts-with($code, 'PC') or starts-with($code, 'C') or $code = 'HS' or $code = 'WAKE')"><xsl:value-of select="$minutes"/></xsl:when>
      </xsl:choose>
    </xsl:if>
  </xsl:template>

  <!-- What a repeated time says and FHIR has no element for. -->
  <xsl:template match="*" mode="beside">
    <xsl:variable name="period" select="h:period"/>
    <xsl:variable name="unit" select="($period/@unit | $period/h:low/@unit | $period/h:high/@unit)[1]"/>
    <xsl:variable name="every" select="($period/@value | $period/h:low/@value)[1]"/>
    <xsl:variable name="in-days" select="($unit = 'h' and ($every = 24 or $every = 168)) or ($unit = 'd' and ($every = 1 or $every = 7)) or ($unit = 'wk' and $every = 1)"/>
    <xsl:variable name="minutes"><xsl:apply-templates select="h:offset" mode="minutes"/></xsl:variable>
    <xsl:choose>
      <xsl:when test="$period and (not(number($every) &gt; 0) or not(contains($time-units, concat('|', $unit, '|'))))"><xsl:apply-templates select="." mode="raw"/></xsl:when>
      <xsl:when test="h:event and not(contains($moments, concat('|', h:event/@code, '|')))"><xsl:apply-templates select="." mode="raw"/></xsl:when>
      <xsl:when test="h:offset[@value or */@value] and $minutes = ''"><xsl:apply-templates select="." mode="raw"/></xsl:when>
      <xsl:when test="@alignment or h:phase/h:high or h:phase/h:width[not(contains($time-units, concat('|', @unit, '|')))] or (h:phase[@value or h:low/@value] and not($in-days))"><xsl:apply-templates select="." mode="raw"/></xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- A part in the terms of the source: each value with the names around it. -->
  <xsl:template match="*" mode="raw">
    <extension url="http://hl7.org/fhir/StructureDefinition/originalText">
      <valueString>
        <xsl:attribute name="value">
          <xsl:value-of select="local-name()"/>
          <xsl:for-each select="@*[not(name() = 'institutionSpecified' or contains(name(), 'type'))]"><xsl:value-of select="concat(' ', local-name(), ' ', .)"/></xsl:for-each>
          <xsl:for-each select="*">
            <xsl:value-of select="concat(', ', local-name())"/>
            <xsl:for-each select="@*[not(contains(name(), 'type') or local-name() = 'codeSystem' or local-name() = 'unit')]"><xsl:value-of select="concat(' ', substring(concat(local-name(), ' '), 1, 99 * (local-name() != 'value')), ., substring(concat(' ', ../@unit), 1, 99 * (local-name() = 'value')))"/></xsl:for-each>
            <xsl:for-each select="*"><xsl:value-of select="concat(' ', normalize-space(concat(local-name(), ' ', @value, ' ', @unit, ' ', .)))"/></xsl:for-each>
          </xsl:for-each>
        </xsl:attribute>
      </valueString>
    </extension>
  </xsl:template>

  <!-- The day of a date (YYYYMMDD...), by the months of a year that begins in March. -->
  <xsl:template name="day-of-week">
    <xsl:param name="ts"/>
    <xsl:variable name="day"><xsl:call-template name="time"><xsl:with-param name="ts" select="substring($ts, 1, 8)"/></xsl:call-template></xsl:variable>
    <xsl:if test="string-length($day) = 10">
      <xsl:variable name="m" select="(number(substring($day, 6, 2)) + 9) mod 12"/>
      <xsl:variable name="y" select="number(substring($day, 1, 4)) - ($m &gt; 9)"/>
      <xsl:variable name="n" select="floor((153 * $m + 2) div 5) + number(substring($day, 9, 2)) + 365 * $y + floor($y div 4) - floor($y div 100) + floor($y div 400)"/>
      <dayOfWeek value="{substring('tuewedthufrisatsunmon', 1 + 3 * ($n mod 7), 3)}"/>
    </xsl:if>
  </xsl:template>

  <xsl:template match="*" mode="quantity">
    <xsl:variable name="unit" select="string(@unit)"/>
    <value value="{@value}"/>
    <xsl:if test="$unit != ''">
      <unit value="{$unit}"/>
      <xsl:if test="translate($unit, ' ', '') = $unit"><system value="http://unitsofmeasure.org"/><code value="{$unit}"/></xsl:if>
    </xsl:if>
  </xsl:template>

  <!-- A dose without a unit counts units of the product. -->
  <xsl:template match="h:doseQuantity | h:doseQuantity/*" mode="quantity">
    <xsl:variable name="act" select="ancestor::h:substanceAdministration[1]"/>
    <xsl:variable name="own" select="(@unit | ../h:low/@unit | ../h:high/@unit)[. != '1' and . != ''][1]"/>
    <xsl:variable name="counted" select="$tables/dose[@from = $act/h:administrationUnitCode/@code]/@to"/>
    <xsl:variable name="named" select="normalize-space($act/h:administrationUnitCode/@displayName)"/>
    <value value="{@value}"/>
    <xsl:choose>
      <xsl:when test="$own"><unit value="{$own}"/><xsl:if test="translate($own, ' ', '') = $own"><system value="http://unitsofmeasure.org"/><code value="{$own}"/></xsl:if></xsl:when>
      <xsl:when test="$counted"><unit value="{translate($counted, $braces, '')}"/><system value="http://unitsofmeasure.org"/><code value="{$counted}"/></xsl:when>
      <xsl:when test="$named != ''"><unit value="{$named}"/></xsl:when>
      <xsl:otherwise><unit value="1"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="dose">
    <xsl:variable name="doses" select="h:doseQuantity[1][@value or h:low/@value or h:high/@value][not((@value | */@value)[. != ''][number(.) != number(.)])]"/>
    <xsl:variable name="rates" select="h:rateQuantity[1][@value or h:low/@value or h:high/@value][not((@value | */@value)[. != ''][number(.) != number(.)])]"/>
    <xsl:if test="$doses or $rates">
      <doseAndRate>
        <xsl:for-each select="$doses"><xsl:call-template name="amount-or-range"><xsl:with-param name="name" select="'dose'"/></xsl:call-template></xsl:for-each>
        <xsl:for-each select="$rates"><xsl:call-template name="amount-or-range"><xsl:with-param name="name" select="'rate'"/></xsl:call-template></xsl:for-each>
      </doseAndRate>
    </xsl:if>
  </xsl:template>

  <xsl:template name="amount-or-range">
    <xsl:param name="name"/>
    <xsl:choose>
      <xsl:when test="@value"><xsl:element name="{$name}Quantity"><xsl:apply-templates select="." mode="quantity"/></xsl:element></xsl:when>
      <xsl:when test="h:low/@value = h:high/@value"><xsl:element name="{$name}Quantity"><xsl:apply-templates select="h:low" mode="quantity"/></xsl:element></xsl:when>
      <xsl:otherwise>
        <xsl:element name="{$name}Range">
          <xsl:for-each select="h:low[@value]"><low><xsl:apply-templates select="." mode="quantity"/></low></xsl:for-each>
          <xsl:for-each select="h:high[@value]"><high><xsl:apply-templates select="." mode="quantity"/></high></xsl:for-each>
        </xsl:element>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The words of codes, as a concept of FHIR. -->
  <xsl:template name="concept-of">
    <xsl:param name="element"/>
    <xsl:param name="code"/>
    <xsl:variable name="words">
      <xsl:for-each select="$code">
        <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'of'"/><xsl:with-param name="whole" select="."/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
        <xsl:variable name="title" select="normalize-space(exsl:node-set($named)/Field[@name = 'of_title'])"/>
        <xsl:if test="position() > 1 and $title != ''">, </xsl:if>
        <xsl:value-of select="$title"/>
      </xsl:for-each>
    </xsl:variable>
    <xsl:if test="normalize-space($words) != ''">
      <xsl:element name="{$element}"><text value="{normalize-space($words)}"/></xsl:element>
    </xsl:if>
  </xsl:template>

  <!-- Whether it is taken only when needed, and for what. -->
  <xsl:template name="needed">
    <xsl:variable name="for">
      <xsl:for-each select="h:precondition/h:criterion">
        <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'for'"/><xsl:with-param name="whole" select="h:value"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
        <xsl:variable name="title" select="normalize-space(exsl:node-set($named)/Field[@name = 'for_title'])"/>
        <xsl:variable name="text"><xsl:apply-templates select="h:text" mode="text"/></xsl:variable>
        <xsl:variable name="what" select="concat($title, substring(normalize-space($text), 1, 1000 * ($title = '')))"/>
        <xsl:if test="position() > 1 and $what != ''">, </xsl:if>
        <!-- "As needed for for pain" -->
        <xsl:value-of select="substring($what, 1 + 4 * (translate(substring($what, 1, 4), 'FOR', 'for') = 'for '))"/>
      </xsl:for-each>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="normalize-space($for) != ''"><asNeededCodeableConcept><text value="{normalize-space($for)}"/></asNeededCodeableConcept></xsl:when>
      <xsl:when test="h:precondition/h:criterion"><asNeededBoolean value="true"/></xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- The instructions to the patient, unless they are the words of the dosage already. -->
  <xsl:template name="patient-instructions">
    <xsl:param name="told"/>
    <xsl:for-each select="h:entryRelationship/h:act[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.20']">
      <xsl:variable name="text"><xsl:apply-templates select="h:text" mode="text"/></xsl:variable>
      <xsl:if test="normalize-space($text) != '' and normalize-space($text) != normalize-space($told)"><additionalInstruction><text value="{normalize-space($text)}"/></additionalInstruction></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- The free-text sig, else the only instruction to the patient, else the text of the entry. -->
  <xsl:template name="told-how">
    <xsl:variable name="sig"><xsl:apply-templates mode="text" select="h:entryRelationship/h:substanceAdministration[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.147']/h:text"/></xsl:variable>
    <xsl:variable name="instruction"><xsl:apply-templates mode="text" select="(h:entryRelationship/h:act[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.20']/h:text)[1]"/></xsl:variable>
    <xsl:choose>
      <xsl:when test="normalize-space($sig)"><xsl:value-of select="$sig"/></xsl:when>
      <xsl:when test="normalize-space($instruction)"><xsl:value-of select="$instruction"/></xsl:when>
      <xsl:otherwise><xsl:apply-templates select="h:text" mode="text"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="h:supply" mode="Fill">
    <xsl:variable name="date"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="spans" select="h:expectedUseTime/h:width | h:entryRelationship/h:supply/h:quantity[@unit = 'd' or @unit = 'wk']"/>
    <xsl:variable name="span" select="$spans[@unit = 'd' or @unit = 'wk'][@value &gt;= 0 and @value &lt; 100000][1]"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="h:statusCode/@code = 'cancelled' or h:statusCode/@code = 'aborted'">cancelled</xsl:when>
        <xsl:when test="$date = ''">no_date</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Fill" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <Model name="Fill">
          <xsl:call-template name="identity"/>
          <Field name="date"><xsl:value-of select="$date"/></Field>
          <xsl:if test="$span"><Field name="dispenseDaysSupply"><xsl:value-of select="format-number(number($span/@value) * (1 + 6 * ($span/@unit = 'wk')), '0.######')"/></Field></xsl:if>
          <Field name="pharmacy_org"><xsl:value-of select="h:performer/h:assignedEntity/h:representedOrganization/h:name"/></Field>
          <xsl:apply-templates select="(h:performer/h:assignedEntity/h:representedOrganization/h:addr | h:performer/h:assignedEntity[h:representedOrganization]/h:addr)[last()]">
            <xsl:with-param name="field" select="'pharmacy_adr'"/>
          </xsl:apply-templates>
          <xsl:apply-templates select="(h:performer/h:assignedEntity[h:assignedPerson] | h:author/h:assignedAuthor[h:assignedPerson])[1]" mode="provider"/>
          <xsl:if test="number(h:quantity/@value) &gt; 0">
            <Field name="quantityDispensed_value"><xsl:value-of select="h:quantity/@value"/></Field>
            <Field name="quantityDispensed_unit">
              <xsl:value-of select="h:quantity/@unit"/>
              <xsl:if test="not(h:quantity/@unit)">1</xsl:if>
            </Field>
          </xsl:if>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ immunizations -->

  <xsl:template match="*" mode="Immunization"><LeftOut model="Immunization" reason="not_supported"/></xsl:template>

  <xsl:template match="h:act | h:organizer" mode="Immunization">
    <xsl:variable name="parts" select="(h:entryRelationship | h:component)/h:substanceAdministration"/>
    <xsl:apply-templates select="$parts" mode="Immunization"/>
    <xsl:if test="not($parts)"><LeftOut model="Immunization" reason="not_supported"/></xsl:if>
  </xsl:template>

  <xsl:template match="h:substanceAdministration" mode="Immunization">
    <xsl:variable name="product" select="h:consumable/h:manufacturedProduct/*[self::h:manufacturedMaterial or self::h:manufacturedLabeledDrug]"/>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'product_name'"/><xsl:with-param name="whole" select="$product/h:code"/><xsl:with-param name="prefer" select="$cvx"/><xsl:with-param name="or" select="$cvx-old"/><xsl:with-param name="label" select="$product/h:name"/></xsl:call-template></xsl:variable>
    <xsl:variable name="name" select="exsl:node-set($named)/Field"/>
    <xsl:variable name="state" select="h:statusCode/@code"/>
    <!-- Whatever its status is, what is said to be refused was not given. -->
    <xsl:variable name="remarks"><call><xsl:apply-templates select="h:text[1]" mode="text"/></call><call><xsl:apply-templates select="." mode="comments"/></call></xsl:variable>
    <xsl:variable name="denied"><xsl:call-template name="name-says-undone"><xsl:with-param name="model" select="'Immunization'"/><xsl:with-param name="names" select="$name[@name = 'product_name_title']"/></xsl:call-template><xsl:call-template name="says-not-given"><xsl:with-param name="remarks" select="exsl:node-set($remarks)/call | h:consumable/h:manufacturedProduct/h:manufacturedMaterial/h:lotNumberText"/></xsl:call-template></xsl:variable>
    <xsl:variable name="given-on"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="due"><xsl:if test="$given-on = ''"><xsl:call-template name="says-due"><xsl:with-param name="texts" select="$name[@name = 'product_name_title'] | $product/h:code/h:originalText | $product/h:code/@displayName | exsl:node-set($remarks)/call"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:variable name="refused" select="@negationInd[contains($yes, concat('|', ., '|'))] or ancestor::h:act[1]/@negationInd[contains($yes, concat('|', ., '|'))] or $state = 'cancelled' or $state = 'aborted' or $denied != '' or $due != '' or h:entryRelationship[@typeCode = 'RSON']/h:observation/h:templateId/@root = '2.16.840.1.113883.10.20.22.4.53'"/>
    <!-- "Tdap?" may have been given or not. -->
    <xsl:variable name="unsure"><xsl:if test="not($refused)"><xsl:call-template name="unsure"><xsl:with-param name="names" select="$name[@name = 'product_name_title'] | $product/h:code/h:originalText[normalize-space()]"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"><xsl:with-param name="negated-too" select="true()"/></xsl:apply-templates></xsl:variable>
    <xsl:variable name="not-begun"><xsl:call-template name="not-begun"/></xsl:variable>
    <xsl:variable name="nothing"><xsl:call-template name="absence"><xsl:with-param name="name" select="$name"/><xsl:with-param name="model" select="'Immunization'"/></xsl:call-template></xsl:variable>
    <xsl:variable name="absence"><xsl:value-of select="$nothing"/><xsl:if test="$nothing = ''"><xsl:call-template name="of-relative"><xsl:with-param name="name" select="$name[@name = 'product_name_title']"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="Immunization" reason="{$general}"/></xsl:when>
      <xsl:when test="not($refused) and ($state = 'suspended' or $not-begun != '')"><LeftOut model="Immunization" reason="planned"/></xsl:when>
      <xsl:when test="not($name)"><LeftOut model="Immunization" reason="no_code"/></xsl:when>
      <xsl:when test="$absence != ''"><LeftOut model="Immunization" reason="{$absence}"/></xsl:when>
      <xsl:otherwise>
        <Model name="Immunization">
          <xsl:call-template name="identity"/>
          <!-- Told by the person, whose number is that of the record. -->
          <xsl:if test="h:informant/*/h:id[key('person-id', concat(@root, '|', @extension))]"><Field name="told_by_person">true</Field></xsl:if>
          <Field name="date"><xsl:value-of select="$given-on"/></Field>
          <xsl:if test="$refused or ($unsure = '' and $state = 'completed') or ($unsure = '' and not($state) and @negationInd[contains($no, concat('|', ., '|'))])">
            <xsl:call-template name="listed">
              <xsl:with-param name="field" select="'administration_status'"/>
              <xsl:with-param name="code" select="concat(substring('notAdministered', 1, 15 * $refused), substring('doseGiven', 1, 9 * not($refused)))"/>
              <xsl:with-param name="system" select="concat($list-uri, 'ImmunizationAdministrationStatus#')"/>
            </xsl:call-template>
          </xsl:if>
          <xsl:copy-of select="$name"/>
          <!-- The code is the reason, or a question of which the value is the answer. -->
          <xsl:variable name="why-not" select="h:entryRelationship[@typeCode = 'RSON']/h:observation"/>
          <xsl:variable name="answers" select="$why-not/h:value[not(@nullFlavor) or h:originalText or h:translation or @displayName]"/>
          <xsl:variable name="reasons" select="$answers | $why-not[not(h:value[not(@nullFlavor) or h:originalText or h:translation or @displayName])]/h:code[not(@codeSystem = $loinc) and not(@code = 'ASSERTION')][@code != '' or @displayName or h:originalText or h:translation]"/>
          <xsl:variable name="reason" select="$words/refusal[@from = ($reasons | $why-not/h:code)/@code]/@to"/>
          <xsl:if test="$refused and $reason">
            <xsl:call-template name="listed">
              <xsl:with-param name="field" select="'refusal_reason'"/>
              <xsl:with-param name="code" select="string($reason[1])"/>
              <xsl:with-param name="system" select="concat($list-uri, 'ImmunizationRefusalReason#')"/>
            </xsl:call-template>
          </xsl:if>
          <xsl:if test="$refused and count($reasons) = 1">
            <xsl:call-template name="named"><xsl:with-param name="field" select="'statusReason'"/><xsl:with-param name="whole" select="$reasons"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
          </xsl:if>
          <!-- There is room for one code. Several reasons are kept in words. -->
          <xsl:if test="$refused and count($reasons) > 1">
            <Field name="statusReason_title">
              <xsl:for-each select="$reasons">
                <xsl:variable name="one"><xsl:call-template name="named"><xsl:with-param name="field" select="'one'"/><xsl:with-param name="whole" select="."/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
                <xsl:value-of select="concat(substring('; ', 1, 2 * (position() > 1)), exsl:node-set($one)/Field[@name = 'one_title'])"/>
              </xsl:for-each>
            </Field>
          </xsl:if>
          <xsl:if test="$unsure = ''"><xsl:call-template name="status"/></xsl:if>
          <xsl:if test="$unsure != ''"><Field name="status_title">Unknown</Field></xsl:if>
          <Field name="lotNumber"><xsl:value-of select="$product/h:lotNumberText"/></Field>
          <Field name="dose_number"><xsl:value-of select="(h:entryRelationship/h:observation[h:code/@code = '30973-2']/h:value/@value | h:repeatNumber/@value)[1]"/></Field>
          <Field name="reaction">
            <xsl:variable name="reactions">
              <xsl:for-each select="h:entryRelationship[@typeCode = 'CAUS' or @typeCode = 'MFST' or h:observation/h:templateId/@root = '2.16.840.1.113883.10.20.22.4.9']/h:observation[not(@negationInd[contains($yes, concat('|', ., '|'))])]">
                <xsl:variable name="one"><xsl:call-template name="named"><xsl:with-param name="field" select="'one'"/><xsl:with-param name="whole" select="h:value"/></xsl:call-template></xsl:variable>
                <xsl:variable name="graded"><xsl:call-template name="named"><xsl:with-param name="field" select="'one'"/><xsl:with-param name="whole" select="h:entryRelationship/h:observation[h:code/@code = 'SEV' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.8']/h:value[1]"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
                <xsl:variable name="day"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
                <xsl:variable name="grade" select="exsl:node-set($graded)/Field[@name = 'one_title']"/>
                <xsl:variable name="what" select="exsl:node-set($one)/Field[@name = 'one_title']"/>
                <xsl:if test="$what != ''"><r><xsl:value-of select="concat($what, substring(' (', 1, 2 * boolean($grade)), $grade, substring(')', 1, number(boolean($grade))), substring(', ', 1, 2 * ($day != '')), substring($day, 1, 10))"/></r></xsl:if>
              </xsl:for-each>
            </xsl:variable>
            <xsl:for-each select="exsl:node-set($reactions)/r"><xsl:value-of select="concat(substring('; ', 1, 2 * (position() > 1)), .)"/></xsl:for-each>
          </Field>
          <Field name="notes">
            <xsl:apply-templates select="." mode="comments"/><xsl:call-template name="own-words"><xsl:with-param name="name" select="$name"/></xsl:call-template>
            <xsl:if test="$unsure != '' and $state"><xsl:value-of select="concat(' The sender&#x2019;s entry has the status ', $state, '.')"/></xsl:if>
            <xsl:for-each select="exsl:node-set($remarks)/call[1][$denied != '' or $due != ''][normalize-space()]"><xsl:value-of select="concat(' In the words of the source: ', normalize-space(), '.')"/></xsl:for-each>
            <xsl:for-each select="h:approachSiteCode[not(@nullFlavor)]"><xsl:variable name="site"><xsl:call-template name="named"><xsl:with-param name="field" select="'one'"/><xsl:with-param name="whole" select="."/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable><xsl:for-each select="exsl:node-set($site)/Field[@name = 'one_title']"><xsl:value-of select="concat(' Site: ', ., '.')"/></xsl:for-each></xsl:for-each>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Route'"/><xsl:with-param name="whole" select="h:routeCode[1]"/></xsl:call-template>
            <xsl:if test="h:doseQuantity/@value"><xsl:value-of select="concat(' Dose: ', normalize-space(concat(h:doseQuantity/@value, ' ', translate(h:doseQuantity/@unit[. != '1'], '{}', ''))), '.')"/></xsl:if>
            <xsl:if test="h:doseQuantity/h:low/@value or h:doseQuantity/h:high/@value"><xsl:value-of select="concat(' Dose: ', normalize-space(concat(h:doseQuantity/h:low/@value, ' - ', h:doseQuantity/h:high/@value, ' ', translate((h:doseQuantity/h:low/@unit | h:doseQuantity/h:high/@unit)[. != '1'][1], '{}', ''))), '.')"/></xsl:if>
            <xsl:call-template name="observed-beside"><xsl:with-param name="known" select="h:entryRelationship[@typeCode = 'RSON' or @typeCode = 'CAUS' or @typeCode = 'MFST']/h:observation | h:entryRelationship/h:observation[h:code/@code = '30973-2' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.9']"/></xsl:call-template>
            <xsl:apply-templates select="$product" mode="use-by"><xsl:with-param name="what" select="'Vaccine'"/></xsl:apply-templates>
            <xsl:for-each select="h:consumable/h:manufacturedProduct/h:manufacturerOrganization/h:name[normalize-space()]"><xsl:value-of select="concat(' Made by: ', normalize-space(), '.')"/></xsl:for-each>
            <xsl:call-template name="informant"/>
            <xsl:if test="not($refused)"><xsl:call-template name="reasons"/></xsl:if>
            <xsl:call-template name="told"/>
          </Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ laboratory results -->

  <xsl:template match="*" mode="LabResult"><LeftOut model="LabResult" reason="not_supported"/></xsl:template>

  <!-- A panel also has how the specimen was taken, which is no result. -->
  <xsl:template match="h:act | h:organizer" mode="LabResult">
    <xsl:variable name="links" select="h:entryRelationship | h:component"/>
    <xsl:variable name="parts" select="$links/h:observation | $links/h:organizer"/>
    <xsl:variable name="why"><xsl:call-template name="whole-taken-back"/></xsl:variable>
    <xsl:choose>
      <xsl:when test="not($parts)"><LeftOut model="LabResult" reason="not_supported"/></xsl:when>
      <xsl:when test="$why != ''">
        <xsl:for-each select="$parts"><LeftOut model="LabResult" reason="{$why}"/></xsl:for-each>
        <xsl:if test="self::h:organizer"><LeftOut model="LabPanel" reason="{$why}"/></xsl:if>
      </xsl:when>
      <xsl:otherwise>
        <xsl:apply-templates select="$parts" mode="LabResult"/>
        <xsl:apply-templates select="self::h:organizer" mode="LabPanel"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The panel: what is said about several results together. Documents wrap each result in an organizer, and an
       organizer around a single result of the same name adds nothing. Organizers inside this one have panels of their
       own, and their results belong to this panel, too. -->
  <xsl:template match="h:organizer" mode="LabPanel">
    <xsl:variable name="members" select="h:component/h:observation | h:component/h:organizer/h:component/h:observation"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="prefer" select="$loinc"/></xsl:call-template></xsl:variable>
    <xsl:variable name="start"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="end"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/h:high/@value"/></xsl:call-template></xsl:variable>
    <xsl:choose>
      <xsl:when test="not($members[2]) and (h:code/@code = $members/h:code/@code or h:code/@displayName = $members/h:code/@displayName)"/>
      <xsl:when test="$general != ''"><LeftOut model="LabPanel" reason="{$general}"/></xsl:when>
      <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="LabPanel" reason="no_code"/></xsl:when>
      <xsl:otherwise>
        <Model name="LabPanel">
          <xsl:call-template name="identity"/>
          <xsl:copy-of select="$named"/>
          <xsl:call-template name="result-status"/>
          <Field name="date"><xsl:value-of select="$start"/></Field>
          <xsl:if test="$end != $start"><Field name="end_date"><xsl:value-of select="$end"/></Field></xsl:if>
          <Field name="issued"><xsl:for-each select="h:author[h:time/@value][last()]"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:time/@value"/></xsl:call-template></xsl:for-each></Field>
          <xsl:call-template name="visit"/>
          <Field name="performer">
            <xsl:for-each select="h:performer/h:assignedEntity[../../h:performer[2] or h:assignedPerson/h:name[normalize-space()]]">
              <xsl:variable name="who"><xsl:apply-templates select="(h:assignedPerson/h:name | h:representedOrganization/h:name)[1]" mode="words"/></xsl:variable>
              <xsl:if test="position() > 1 and $who != ''">, </xsl:if>
              <xsl:value-of select="$who"/>
            </xsl:for-each>
          </Field>
          <xsl:for-each select="(h:performer/h:assignedEntity/h:representedOrganization[normalize-space(h:name)])[1]">
            <Field name="laboratory_name"><xsl:value-of select="normalize-space(h:name)"/></Field>
            <xsl:apply-templates select="h:addr[1]"><xsl:with-param name="field" select="'laboratory_adr'"/></xsl:apply-templates>
          </xsl:for-each>
          <!-- What is said of all of them. -->
          <Field name="conclusion"><xsl:apply-templates select="." mode="comments"/></Field>
          <Field name="results"><xsl:for-each select="$members"><Member of="{generate-id()}"/></xsl:for-each></Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Why an organizer, with everything in it, is no fact. -->
  <xsl:template name="whole-taken-back">
    <xsl:choose>
      <xsl:when test="h:statusCode/@code = 'nullified'">entered_in_error</xsl:when>
      <xsl:when test="h:statusCode/@code = 'cancelled'">cancelled</xsl:when>
      <xsl:when test="@moodCode[translate(., 'evn', 'EVN') != 'EVN']">planned</xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- Answers about how somebody functions, such as a questionnaire with its total: results of the category survey. Each
       answer is a result of its own. -->
  <xsl:template match="*" mode="Survey">
    <xsl:param name="kind" select="'Survey'"/>
    <LeftOut model="{$kind}" reason="not_supported"/>
  </xsl:template>

  <xsl:template match="h:organizer | h:act[h:entryRelationship/h:observation]" mode="Survey">
    <xsl:param name="kind" select="'Survey'"/>
    <xsl:variable name="links" select="h:component | h:entryRelationship"/>
    <xsl:variable name="why"><xsl:call-template name="whole-taken-back"/></xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="{$kind}" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <xsl:apply-templates select="$links/h:observation | $links/h:organizer | $links/h:act[h:entryRelationship/h:observation]" mode="Survey"><xsl:with-param name="kind" select="$kind"/></xsl:apply-templates>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="h:observation" mode="Survey">
    <xsl:param name="kind" select="'Survey'"/>
    <xsl:variable name="asserted"><name><xsl:value-of select="concat(substring('Functional status', 1, 17 * ($kind = 'FunctionalStatus')), substring('Mental status', 1, 13 * ($kind = 'MentalStatus')), substring('Nutrition', 1, 9 * ($kind = 'Nutrition')))"/></name></xsl:variable>
    <xsl:apply-templates select="." mode="LabResult">
      <xsl:with-param name="category" select="'survey'"/>
      <xsl:with-param name="asserted" select="exsl:node-set($asserted)/name"/>
    </xsl:apply-templates>
    <xsl:apply-templates select="h:entryRelationship[@typeCode = 'COMP']/h:observation | h:entryRelationship/h:observation[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.69' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.86']" mode="Survey">
      <xsl:with-param name="kind" select="$kind"/>
    </xsl:apply-templates>
  </xsl:template>

  <xsl:template match="h:observation" mode="LabResult">
    <!-- For what is no result of a laboratory. -->
    <xsl:param name="category"/>
    <xsl:param name="asserted" select="/.."/>
    <xsl:variable name="assertion" select="h:code[translate(@code, 'asertion', 'ASERTION') = 'ASSERTION']"/>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'test_name'"/><xsl:with-param name="whole" select="h:code[not($assertion and $asserted != '')] | $asserted[$assertion]"/><xsl:with-param name="prefer" select="$loinc"/></xsl:call-template></xsl:variable>
    <xsl:variable name="name" select="exsl:node-set($named)/Field"/>
    <xsl:variable name="result"><xsl:call-template name="result"/></xsl:variable>
    <xsl:variable name="panel" select="ancestor::h:organizer[1]"/>
    <xsl:variable name="own-time"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="notes"><xsl:apply-templates select="." mode="comments"/><xsl:call-template name="of-the-whole"><xsl:with-param name="whole" select="$panel"/></xsl:call-template></xsl:variable>
    <xsl:variable name="state" select="h:statusCode/@code"/>
    <xsl:variable name="empty" select="not(exsl:node-set($result)/Field[normalize-space()])"/>
    <!-- The same result once more, which is complete there. -->
    <xsl:variable name="final" select="key('instance', concat(h:id[1][@extension != '']/@root, '|', h:id[1]/@extension))[current()/h:statusCode/@code = 'active'][position() &lt;= 50]/parent::h:observation[h:statusCode/@code = 'completed'][h:code/@code = current()/h:code/@code][h:effectiveTime/@value = current()/h:effectiveTime/@value][h:value[not(@nullFlavor)]]"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="$final">older_version</xsl:when>
        <xsl:when test="not($name)">no_code</xsl:when>
        <xsl:when test="$empty and ($state = 'cancelled' or $state = 'aborted' or $state = 'obsolete')">cancelled</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="LabResult" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <Model name="LabResult" label="{generate-id()}">
          <xsl:call-template name="identity"/>
          <xsl:copy-of select="$name"/>
          <xsl:copy-of select="$result"/>
          <xsl:if test="$category != ''">
            <Field name="category_identifier"><xsl:value-of select="$category"/></Field>
            <Field name="category_title">Survey</Field>
            <Field name="category_system">http://terminology.hl7.org/CodeSystem/observation-category</Field>
          </xsl:if>
          <xsl:call-template name="interpretation"/>
          <xsl:call-template name="result-status"/>
          <Field name="collected_at">
            <xsl:value-of select="$own-time"/>
            <xsl:if test="$own-time = ''">
              <xsl:variable name="around" select="(ancestor::h:organizer | ancestor::h:observation)[last()]"/>
              <xsl:call-template name="time"><xsl:with-param name="ts" select="($around/h:effectiveTime/@value | $around/h:effectiveTime/h:low/@value)[1]"/></xsl:call-template>
            </xsl:if>
          </Field>
          <!-- Who examined it, by the nearest that says so. -->
          <xsl:for-each select="(h:performer | $panel/h:performer)[last()]/h:assignedEntity">
            <Field name="collected_by_org_name"><xsl:value-of select="normalize-space(h:representedOrganization/h:name)"/></Field>
            <xsl:if test="normalize-space(h:representedOrganization/h:name)"><xsl:apply-templates select="h:representedOrganization/h:addr[1]"><xsl:with-param name="field" select="'collected_by_org_adr'"/></xsl:apply-templates></xsl:if>
            <xsl:variable name="hand"><xsl:apply-templates select="." mode="provider"/></xsl:variable>
            <xsl:for-each select="exsl:node-set($hand)/Field[starts-with(@name, 'provider_name_')]"><Field name="collected_by_{substring-after(@name, 'provider_')}"><xsl:value-of select="."/></Field></xsl:for-each>
          </xsl:for-each>
          <xsl:if test="h:specimen | $panel/h:specimen"><Field name="accession_number"><xsl:value-of select="(h:specimen | $panel/h:specimen)[last()]/h:specimenRole/h:id/@extension"/></Field></xsl:if>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'specimen'"/><xsl:with-param name="whole" select="(h:specimen | $panel/h:specimen)[last()]/h:specimenRole/h:specimenPlayingEntity/h:code"/><xsl:with-param name="prefer" select="$snomed"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
          <xsl:variable name="usual" select="h:referenceRange/h:observationRange[not(h:interpretationCode/@code) or h:interpretationCode/@code = 'N'][h:value/h:low/@value != '' or h:value/h:high/@value != '']"/>
          <xsl:variable name="day" select="substring(translate(concat((h:effectiveTime/@value | h:effectiveTime/h:low/@value | $panel/h:effectiveTime/@value | $panel/h:effectiveTime/h:low/@value)[. != ''][1], ''), '-', ''), 1, 8)"/>
          <xsl:variable name="fits"><xsl:for-each select="$usual"><xsl:apply-templates select="." mode="fits"><xsl:with-param name="day" select="$day"/></xsl:apply-templates></xsl:for-each></xsl:variable>
          <!-- One range fits this person for certain, and no other could. -->
          <xsl:variable name="range" select="$usual[string-length(substring-before($fits, 'y')) + 1 = position()]/h:value"/>
          <xsl:if test="translate($fits, 'n', '') = 'y'">
            <Field name="quantitative_result_normal_range_min_value"><xsl:value-of select="$range/h:low/@value"/></Field>
            <Field name="quantitative_result_normal_range_min_unit"><xsl:value-of select="$range/h:low[@value != '']/@unit"/></Field>
            <Field name="quantitative_result_normal_range_max_value"><xsl:value-of select="$range/h:high/@value"/></Field>
            <Field name="quantitative_result_normal_range_max_unit"><xsl:value-of select="$range/h:high[@value != '']/@unit"/></Field>
          </xsl:if>
          <Field name="reference"><xsl:call-template name="ranges"/></Field>
          <Field name="notes">
            <xsl:value-of select="$notes"/>
            <xsl:call-template name="own-words"><xsl:with-param name="name" select="$name"/></xsl:call-template>
            <xsl:if test="h:effectiveTime/h:low/@value and h:effectiveTime/h:high/@value != h:effectiveTime/h:low/@value"><xsl:text> Until: </xsl:text><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/h:high/@value"/></xsl:call-template>.</xsl:if>
            <xsl:call-template name="site-and-method"/>
            <xsl:call-template name="interpretation-beside"/>
            <xsl:call-template name="original-words"><xsl:with-param name="title" select="$name[@name = 'test_name_title']"/><xsl:with-param name="any" select="true()"/></xsl:call-template>
            <xsl:for-each select="$panel[not(ancestor::h:organizer)]/h:component/h:procedure | h:entryRelationship/h:procedure"><xsl:apply-templates select="." mode="specimen-taken"/></xsl:for-each>
            <!-- Answers of a survey, and results inside of a result, are results themselves. -->
            <xsl:call-template name="observed-beside"><xsl:with-param name="known" select="h:entryRelationship[@typeCode = 'COMP' or h:observation/h:templateId[@root = '2.16.840.1.113883.10.20.22.4.69' or @root = '2.16.840.1.113883.10.20.22.4.86']]/h:observation"/></xsl:call-template>
            <xsl:for-each select="h:participant[@typeCode = 'DEV']/h:participantRole/h:playingDevice"><xsl:call-template name="said-of"><xsl:with-param name="label" select="'Device'"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="or" select="h:manufacturerModelName"/></xsl:call-template></xsl:for-each>
          </Field>
        </Model>
        <xsl:for-each select="h:value[@representation = 'B64'][normalize-space()]"><LeftOut model="Attachment" reason="inside"/></xsl:for-each>
      </xsl:otherwise>
    </xsl:choose>
    <!-- A result may hold others, such as how an organism answers to each medicine. -->
    <xsl:if test="$category = '' and $general = ''"><xsl:apply-templates select="h:entryRelationship[@typeCode = 'COMP']/h:observation" mode="LabResult"/></xsl:if>
  </xsl:template>

  <!-- How and where from the specimen was taken. -->
  <xsl:template match="h:procedure" mode="specimen-taken">
    <xsl:variable name="day"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
    <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Specimen'"/><xsl:with-param name="whole" select="h:code"/></xsl:call-template>
    <xsl:if test="$day != ''"><xsl:value-of select="concat(' Taken: ', $day, '.')"/></xsl:if>
    <xsl:call-template name="site-and-method"/>
  </xsl:template>

  <!-- Interpretations beside the one that has a column. One alone without words of its own has nothing beside it. -->
  <xsl:template name="interpretation-beside">
    <xsl:variable name="all" select="h:interpretationCode[../h:interpretationCode[2] or h:originalText]"/>
    <xsl:variable name="kept"><xsl:if test="$all"><xsl:call-template name="interpretation"/></xsl:if></xsl:variable>
    <xsl:variable name="title" select="string(exsl:node-set($kept)/Field[@name = 'abnormal_interpretation_title'])"/>
    <xsl:for-each select="$all[position() &lt;= 20]">
      <xsl:variable name="one"><xsl:call-template name="named"><xsl:with-param name="field" select="'one'"/><xsl:with-param name="whole" select="."/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
      <xsl:variable name="called" select="string(exsl:node-set($one)/Field[@name = 'one_title'])"/>
      <xsl:variable name="original"><xsl:apply-templates select="h:originalText" mode="text"/></xsl:variable>
      <xsl:if test="$called != '' and $called != $title"><xsl:value-of select="concat(' Interpretation: ', $called, '.')"/></xsl:if>
      <xsl:if test="normalize-space($original) != '' and normalize-space($original) != $called and normalize-space($original) != @displayName"><xsl:value-of select="concat(' In the words of the source: ', normalize-space($original), '.')"/></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- The words of the source for a test or reading, where they tell more than its name. -->
  <xsl:template name="original-words">
    <xsl:param name="title"/>
    <xsl:param name="any" select="false()"/>
    <xsl:for-each select="h:code[1][h:originalText]">
      <xsl:variable name="text"><xsl:apply-templates select="h:originalText[1]" mode="text"/></xsl:variable>
      <xsl:call-template name="words-of-test"><xsl:with-param name="text" select="normalize-space($text)"/><xsl:with-param name="title" select="$title"/><xsl:with-param name="any" select="$any"/></xsl:call-template>
    </xsl:for-each>
  </xsl:template>

  <!-- What an entry says of itself, unless it only points into the text of its section or repeats what its fields say, and
       what the sender wrote beside a code, where it says more than the name of the code: "Warfarin 5 mg (Marevan)". -->
  <xsl:template name="own-words">
    <xsl:param name="name" select="/.."/>
    <xsl:variable name="said" select="normalize-space(h:text[not(h:reference)])"/>
    <xsl:variable name="others" select="(h:value | self::h:procedure/h:code | self::h:act/h:code | h:consumable/h:manufacturedProduct/h:manufacturedMaterial/h:code | h:participant[@typeCode = 'CSM']/h:participantRole/h:playingEntity/h:code)[not(@nullFlavor)]/h:translation/@displayName"/>
    <xsl:if test="$others">
      <xsl:call-template name="other-names">
        <xsl:with-param name="said"><xsl:for-each select="$others"><xsl:value-of select="concat(translate(., '&#10;', ' '), '&#10;')"/></xsl:for-each></xsl:with-param>
        <xsl:with-param name="title" select="string($name[contains(@name, '_title') or @name = 'name'])"/>
      </xsl:call-template>
    </xsl:if>
    <xsl:for-each select="(h:value[$name[@name = 'test_name_title']][@displayName] | self::h:procedure/h:code | self::h:act/h:code | h:consumable/h:manufacturedProduct/h:manufacturedMaterial/h:code | h:participant[@typeCode = 'CSM']/h:participantRole/h:playingEntity/h:code[not(@code)])[@code or h:translation/@code]/h:originalText[normalize-space()]">
      <xsl:variable name="known"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="translate(concat($name[contains(@name, '_title') or @name = 'name'], ' ', ../@displayName[../self::h:value]), ',;:.()[]/*!-', '            ')"/></xsl:call-template></xsl:variable>
      <xsl:variable name="spoken"><xsl:call-template name="plain-words"><xsl:with-param name="words" select="translate(., ',;:.()[]/*!-', '            ')"/></xsl:call-template></xsl:variable>
      <xsl:if test="str:tokenize($spoken, ' ')[not(contains(concat(' ', $known, ' '), concat(' ', ., ' ')))]"><xsl:value-of select="concat(' In the words of the source: ', normalize-space(), '.')"/></xsl:if>
    </xsl:for-each>
    <xsl:if test="$said != '' and not($name[normalize-space() = $said] or .//@displayName[normalize-space() = $said] or .//h:originalText[normalize-space() = $said] or h:value[normalize-space() = $said])"><xsl:value-of select="concat(' ', $said)"/></xsl:if>
  </xsl:template>

  <!-- What is remarked on a group as a whole, such as a specimen that was spoilt, stands with each of its parts, unless
       that would be very long. -->
  <xsl:template name="of-the-whole">
    <xsl:param name="whole"/>
    <xsl:variable name="said"><xsl:apply-templates select="$whole" mode="comments"/></xsl:variable>
    <xsl:if test="normalize-space($said) != '' and string-length($said) * count($whole/h:component) &lt;= 200000"><xsl:value-of select="concat(' ', $said)"/></xsl:if>
  </xsl:template>

  <!-- All reference ranges in words. -->
  <xsl:template name="ranges">
    <xsl:variable name="all"><xsl:for-each select="h:referenceRange/h:observationRange"><range><xsl:apply-templates select="." mode="range-words"/></range></xsl:for-each></xsl:variable>
    <xsl:for-each select="exsl:node-set($all)/range[normalize-space()]"><xsl:value-of select="concat(substring('; ', 1, 2 * (position() > 1)), normalize-space())"/></xsl:for-each>
  </xsl:template>

  <!-- A reference range in words, with what it means and for whom it is. A precondition stands in the namespace of
       whoever extended the standard by it. -->
  <xsl:template match="h:observationRange" mode="range-words">
    <xsl:variable name="said"><xsl:apply-templates select="h:text" mode="text"/></xsl:variable>
    <xsl:variable name="text" select="normalize-space($said)"/>
    <xsl:variable name="value"><xsl:apply-templates select="h:value" mode="words"/></xsl:variable>
    <xsl:variable name="numbers" select="normalize-space($value)"/>
    <xsl:variable name="labels">
      <xsl:for-each select="h:interpretationCode[@code != 'N'] | h:code[@displayName or h:originalText] | *[local-name() = 'precondition']//*[local-name() = 'value']">
        <xsl:variable name="whose"><xsl:choose>
          <xsl:when test="self::h:interpretationCode"><xsl:call-template name="named"><xsl:with-param name="field" select="'one'"/><xsl:with-param name="whole" select="."/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:when>
          <xsl:otherwise>
            <xsl:value-of select="concat(substring('age ', 1, 4 * ((*[local-name() = 'low'] | *[local-name() = 'high'] | self::*)/@unit = 'a')), @displayName, substring(concat(*[local-name() = 'low']/@value, ' - ', *[local-name() = 'high']/@value), 1, 99 * boolean(*[local-name() = 'low' or local-name() = 'high'])), @value, ' ', (@unit | */@unit)[. != 'a'][1], *[local-name() = 'originalText'])"/>
            <xsl:if test="not(@displayName) and @code"><xsl:value-of select="concat(substring('Male', 1, 4 * (@code = 'M')), substring('Female', 1, 6 * (@code = 'F')), substring(@code, 1, 99 * not(@code = 'M' or @code = 'F')))"/></xsl:if>
          </xsl:otherwise>
        </xsl:choose></xsl:variable>
        <xsl:variable name="word" select="normalize-space(concat(exsl:node-set($whose)/Field[@name = 'one_title'], substring($whose, 1, 200 * not(exsl:node-set($whose)/Field))))"/>
        <xsl:if test="$word != '' and not(contains($text, $word))"><l><xsl:value-of select="$word"/></l></xsl:if>
      </xsl:for-each>
    </xsl:variable>
    <xsl:for-each select="exsl:node-set($labels)/l"><xsl:value-of select="concat(substring(', ', 1, 2 * (position() > 1)), .)"/></xsl:for-each>
    <xsl:if test="$labels != '' and concat($text, $numbers) != ''">: </xsl:if>
    <xsl:value-of select="$text"/>
    <xsl:if test="$text = ''"><xsl:value-of select="$numbers"/></xsl:if>
    <xsl:if test="$text != '' and $numbers != '' and not(contains($text, $numbers)) and not(contains($text, string((h:value/h:low/@value | h:value/@value)[1])) and contains($text, string(h:value/h:high/@value)))"><xsl:value-of select="concat(' (', $numbers, ')')"/></xsl:if>
  </xsl:template>

  <!-- Whether a reference range is one for this person: y, n, or u where that is not certain. -->
  <xsl:template match="h:observationRange" mode="fits">
    <xsl:param name="day"/>
    <xsl:variable name="patient" select="/h:ClinicalDocument/h:recordTarget[last() = 1]/h:patientRole/h:patient"/>
    <xsl:variable name="gender" select="$patient/h:administrativeGenderCode/@code"/>
    <xsl:variable name="sex" select="concat(substring('male', 1, 4 * ($gender = 'M')), substring('female', 1, 6 * ($gender = 'F')))"/>
    <xsl:variable name="text"><xsl:apply-templates select="h:text" mode="text"/></xsl:variable>
    <xsl:variable name="criteria" select="*[local-name() = 'precondition']//*[local-name() = 'value']"/>
    <xsl:variable name="said"><xsl:value-of select="translate($text, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')"/><xsl:for-each select="$criteria | h:code"><xsl:value-of select="translate(concat(' ', @code, ' ', @displayName, ' ', *[local-name() = 'originalText']), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')"/></xsl:for-each></xsl:variable>
    <xsl:variable name="apart" select="concat('|', translate(normalize-space(translate($said, ',;:.()[]/*=-', '            ')), ' ', '|'), '|')"/>
    <xsl:variable name="sexes">
      <xsl:if test="normalize-space($said) and $words/sex[contains($apart, concat('|', ., '|'))]"><xsl:call-template name="sex-fits"><xsl:with-param name="said" select="$apart"/><xsl:with-param name="sex" select="$sex"/></xsl:call-template></xsl:if>
    </xsl:variable>
    <xsl:variable name="ages">
      <xsl:for-each select="$criteria[*[local-name() = 'low' or local-name() = 'high']]">
        <xsl:choose>
          <xsl:when test="*[local-name() = 'low' or local-name() = 'high'][not(@unit = 'a')]">u</xsl:when>
          <xsl:otherwise>
            <xsl:call-template name="years-fit">
              <xsl:with-param name="low" select="*[local-name() = 'low']/@value"/>
              <xsl:with-param name="high" select="*[local-name() = 'high']/@value"/>
              <xsl:with-param name="born" select="substring($patient/h:birthTime/@value, 1, 8)"/>
              <xsl:with-param name="day" select="$day"/>
            </xsl:call-template>
          </xsl:otherwise>
        </xsl:choose>
      </xsl:for-each>
    </xsl:variable>
    <xsl:variable name="others"><xsl:if test="(normalize-space($said) and $words/group[contains($said, .)]) or $criteria[not(*[local-name() = 'low' or local-name() = 'high']) and not($sexes != '')]">u</xsl:if></xsl:variable>
    <xsl:variable name="all" select="concat($sexes, $ages, $others)"/>
    <xsl:choose>
      <xsl:when test="contains($all, 'n')">n</xsl:when>
      <xsl:when test="contains($all, 'u')">u</xsl:when>
      <xsl:otherwise>y</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ social history -->

  <xsl:template match="*" mode="SocialHistory"><LeftOut model="SocialHistory" reason="not_supported"/></xsl:template>

  <xsl:template match="h:organizer | h:act" mode="SocialHistory">
    <xsl:variable name="parts" select="(h:component | h:entryRelationship)/*[self::h:observation or self::h:organizer or self::h:act[h:entryRelationship or h:component]]"/>
    <xsl:variable name="why"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:choose>
      <xsl:when test="not($parts)"><LeftOut model="SocialHistory" reason="not_supported"/></xsl:when>
      <xsl:when test="$why != ''"><xsl:for-each select="$parts"><LeftOut model="SocialHistory" reason="{$why}"/></xsl:for-each></xsl:when>
      <xsl:otherwise><xsl:apply-templates select="$parts" mode="SocialHistory"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="h:observation" mode="SocialHistory">
    <!-- Earlier releases have the code "assertion"; the template says what is asserted. -->
    <xsl:variable name="assertion" select="h:code[translate(@code, 'asertion', 'ASERTION') = 'ASSERTION']"/>
    <xsl:variable name="smoking" select="$tables/habit[@root = current()/h:templateId/@root or @value = current()/h:value/@code][$assertion][1]"/>
    <xsl:variable name="named">
      <xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="whole" select="h:code[not($assertion)]"/><xsl:with-param name="prefer" select="$loinc"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
      <xsl:if test="$smoking">
        <xsl:call-template name="listed"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="code" select="string($smoking/@code)"/><xsl:with-param name="title" select="$smoking/@title"/><xsl:with-param name="system" select="$loinc-uri"/></xsl:call-template>
      </xsl:if>
      <!-- Anything else that is asserted speaks for itself. -->
      <xsl:if test="$assertion and not($smoking)"><Field name="name_title">Social history</Field></xsl:if>
    </xsl:variable>
    <xsl:variable name="answered"><xsl:call-template name="answer"/></xsl:variable>
    <xsl:variable name="answer" select="exsl:node-set($answered)/Field[normalize-space()]"/>
    <xsl:variable name="start"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="end"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/h:high/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="SocialHistory" reason="{$general}"/></xsl:when>
      <xsl:when test="h:statusCode/@code = 'cancelled' or h:statusCode/@code = 'aborted'"><LeftOut model="SocialHistory" reason="cancelled"/></xsl:when>
      <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="SocialHistory" reason="no_code"/></xsl:when>
      <xsl:when test="not($answer)"><LeftOut model="SocialHistory" reason="no_value"/></xsl:when>
      <xsl:otherwise>
        <Model name="SocialHistory">
          <xsl:call-template name="identity"/>
          <xsl:copy-of select="$named"/>
          <xsl:copy-of select="$answer"/>
          <Field name="date"><xsl:value-of select="$start"/></Field>
          <Field name="end_date"><xsl:value-of select="$end"/></Field>
          <Field name="notes">
            <xsl:apply-templates select="." mode="comments"/><xsl:call-template name="own-words"><xsl:with-param name="name" select="exsl:node-set($named)/Field"/></xsl:call-template>
            <!-- The sender's own words, where they say something else than the code. -->
            <xsl:variable name="own"><xsl:for-each select="h:value[1]/h:originalText"><xsl:apply-templates select="." mode="text"/></xsl:for-each></xsl:variable>
            <xsl:if test="$own != '' and $own != $answer[@name = 'value_title'] and $own != h:value[1]/@displayName and $answer[@name = 'value_identifier']"><xsl:value-of select="concat(' ', $own, '.')"/></xsl:if>
            <xsl:call-template name="details"/>
          </Field>
          <xsl:call-template name="result-status"/>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A number with its unit, a concept, or words. -->
  <xsl:template name="answer">
    <xsl:variable name="value" select="h:value[1]"/>
    <xsl:variable name="coded"><xsl:call-template name="named"><xsl:with-param name="field" select="'value'"/><xsl:with-param name="whole" select="$value"/><xsl:with-param name="prefer" select="$snomed"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
    <xsl:choose>
      <xsl:when test="count(h:value) = 1 and not(contains($value/@xsi:type, 'TS')) and $value/@value and number($value/@value) = number($value/@value)">
        <Field name="amount_value"><xsl:value-of select="$value/@value"/></Field>
        <Field name="amount_unit"><xsl:call-template name="unit-of"><xsl:with-param name="quantity" select="$value"/></xsl:call-template></Field>
      </xsl:when>
      <xsl:when test="count(h:value) = 1 and exsl:node-set($coded)/Field and not(contains($value/@xsi:type, 'TS'))"><xsl:copy-of select="$coded"/></xsl:when>
      <xsl:when test="$value[not(@nullFlavor[. != 'PINF' and . != 'NINF'])]">
        <Field name="value_title">
          <xsl:for-each select="h:value">
            <xsl:variable name="one"><xsl:apply-templates select="." mode="words"/></xsl:variable>
            <xsl:if test="position() > 1 and normalize-space($one)">; </xsl:if>
            <xsl:value-of select="normalize-space($one)"/>
          </xsl:for-each>
        </Field>
      </xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- The state of an observation: completed means final, active means not final. -->
  <xsl:template name="result-status">
    <xsl:variable name="state" select="h:statusCode/@code"/>
    <xsl:if test="$state">
      <Field name="status_identifier"><xsl:value-of select="$state"/></Field>
      <Field name="status_title">
        <xsl:choose>
          <xsl:when test="$state = 'completed'">Final</xsl:when>
          <xsl:when test="$state = 'active'">Preliminary</xsl:when>
          <xsl:otherwise><xsl:value-of select="substring-before(substring-after($terms, concat('|', $state, '=')), '|')"/></xsl:otherwise>
        </xsl:choose>
      </Field>
      <Field name="status_system"><xsl:value-of select="$act-status"/></Field>
    </xsl:if>
  </xsl:template>

  <!-- One number with its unit (and "&lt;" and the like before it), or words. A number beside a reason why there is none
       is no number: it is read in words, with the reason. -->
  <xsl:template name="result">
    <xsl:variable name="value" select="h:value[1][not(@nullFlavor)]"/>
    <xsl:variable name="signless" select="translate($value/@value, '&lt;&gt;= ', '')"/>
    <xsl:choose>
      <xsl:when test="count(h:value) = 1 and not(contains($value/@xsi:type, 'TS')) and $value/@value and number($value/@value) = number($value/@value)">
        <Field name="quantitative_result_value_value"><xsl:value-of select="$value/@value"/></Field>
        <Field name="quantitative_result_value_unit"><xsl:call-template name="unit-of"><xsl:with-param name="quantity" select="$value"/></xsl:call-template></Field>
      </xsl:when>
      <xsl:when test="count(h:value) = 1 and translate(substring($value/@value, 1, 1), '&lt;&gt;', '') = '' and number($signless) = number($signless)">
        <Field name="quantitative_result_value_value"><xsl:value-of select="translate($value/@value, ' ', '')"/></Field>
        <Field name="quantitative_result_value_unit"><xsl:call-template name="unit-of"><xsl:with-param name="quantity" select="$value"/></xsl:call-template></Field>
      </xsl:when>
      <xsl:when test="count(h:value) = 1 and $value/h:low/@value != '' and not($value/h:high/@value != '')">
        <Field name="quantitative_result_value_value">&gt;<xsl:if test="not($value/h:low/@inclusive = 'false')">=</xsl:if><xsl:value-of select="$value/h:low/@value"/></Field>
        <Field name="quantitative_result_value_unit"><xsl:value-of select="$value/h:low/@unit"/></Field>
      </xsl:when>
      <xsl:when test="count(h:value) = 1 and $value/h:high/@value != '' and not($value/h:low/@value != '')">
        <Field name="quantitative_result_value_value">&lt;<xsl:if test="not($value/h:high/@inclusive = 'false')">=</xsl:if><xsl:value-of select="$value/h:high/@value"/></Field>
        <Field name="quantitative_result_value_unit"><xsl:value-of select="$value/h:high/@unit"/></Field>
      </xsl:when>
      <xsl:otherwise>
        <xsl:variable name="said">
          <xsl:for-each select="h:value">
            <xsl:variable name="one"><xsl:apply-templates select="." mode="words"/></xsl:variable>
            <xsl:if test="position() > 1 and normalize-space($one)">; </xsl:if>
            <xsl:value-of select="normalize-space($one)"/>
          </xsl:for-each>
        </xsl:variable>
        <Field name="narrative_result"><xsl:value-of select="$said"/></Field>
        <Field name="value"><xsl:value-of select="$said"/></Field>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The unit, or what a translation calls it when the unit is only words. -->
  <xsl:template name="unit-of">
    <xsl:param name="quantity"/>
    <xsl:choose>
      <xsl:when test="$quantity/@unit != ''"><xsl:value-of select="$quantity/@unit"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="($quantity/h:translation/h:originalText | $quantity/h:translation/@displayName | $quantity/h:translation/@code)[1]"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A value in words, whatever its type. The unit "1" of a count would read as a digit. -->
  <!-- The unit "1" of a count would read as a digit. -->
  <xsl:template match="h:value | h:targetSiteCode | h:methodCode" mode="words">
    <xsl:variable name="text"><xsl:apply-templates select="." mode="text"/></xsl:variable>
    <xsl:variable name="original"><xsl:apply-templates select="h:originalText[1]" mode="text"/></xsl:variable>
    <xsl:choose>
      <xsl:when test="contains(@xsi:type, 'TS') and @value"><xsl:call-template name="time"><xsl:with-param name="ts" select="@value"/></xsl:call-template></xsl:when>
      <xsl:when test="contains(@xsi:type, 'TS') and (h:low/@value or h:high/@value)">
        <xsl:call-template name="time"><xsl:with-param name="ts" select="h:low/@value"/></xsl:call-template>
        <xsl:text> - </xsl:text>
        <xsl:call-template name="time"><xsl:with-param name="ts" select="h:high/@value"/></xsl:call-template>
      </xsl:when>
      <xsl:when test="contains(@xsi:type, 'BL') and @value = 'true'">Yes</xsl:when>
      <xsl:when test="contains(@xsi:type, 'BL') and @value = 'false'">No</xsl:when>
      <xsl:when test="@value != '' and @nullFlavor and $words/absent[@flavor = current()/@nullFlavor]"><xsl:value-of select="concat($words/absent[@flavor = current()/@nullFlavor], ' (', normalize-space(concat(@value, ' ', @unit[. != '1'])), ')')"/></xsl:when>
      <xsl:when test="@value != ''"><xsl:value-of select="concat(@value, ' ', @unit[. != '1'])"/></xsl:when>
      <!-- Bounds in a unit that has no code stand in their translations. -->
      <xsl:when test="not(h:low/@value or h:high/@value) and (h:low | h:high)/h:translation/@value">
        <xsl:variable name="least" select="h:low/h:translation[@value][1]"/>
        <xsl:variable name="most" select="h:high/h:translation[@value][1]"/>
        <xsl:variable name="unit"><xsl:call-template name="unit-of"><xsl:with-param name="quantity" select="($most | $least)[last()]/.."/></xsl:call-template></xsl:variable>
        <xsl:value-of select="concat(substring('&gt;=', 1, 2 * not($most)), substring('&lt;=', 1, 2 * not($least)), $least/@value, substring(' - ', 1, 3 * (boolean($least) and boolean($most))), $most/@value, ' ', substring($unit, 1, 255 * ($unit != '1')))"/>
      </xsl:when>
      <xsl:when test="h:low/@value != '' and h:high/@value != '' and (h:low/@inclusive = 'false' or h:high/@inclusive = 'false')"><xsl:value-of select="concat('>', substring('=', 1, number(not(h:low/@inclusive = 'false'))), h:low/@value, ' - &lt;', substring('=', 1, number(not(h:high/@inclusive = 'false'))), h:high/@value, ' ', (h:high/@unit | h:low/@unit)[1][. != '1'])"/></xsl:when>
      <xsl:when test="h:low/@value != '' and h:high/@value != ''"><xsl:value-of select="concat(h:low/@value, ' - ', h:high/@value, ' ', (h:high/@unit | h:low/@unit)[1][. != '1'])"/></xsl:when>
      <xsl:when test="h:low/@value != ''"><xsl:value-of select="concat('>', substring('=', 1, number(not(h:low/@inclusive = 'false'))), h:low/@value, ' ', h:low/@unit[. != '1'])"/></xsl:when>
      <xsl:when test="h:high/@value != ''"><xsl:value-of select="concat('&lt;', substring('=', 1, number(not(h:high/@inclusive = 'false'))), h:high/@value, ' ', h:high/@unit[. != '1'])"/></xsl:when>
      <!-- A bound that is not there is none; one that is beyond what can be measured is told. -->
      <xsl:when test="h:low/@nullFlavor = 'PINF'"><xsl:value-of select="$words/absent[@flavor = 'PINF']"/></xsl:when>
      <xsl:when test="h:high/@nullFlavor = 'NINF'"><xsl:value-of select="$words/absent[@flavor = 'NINF']"/></xsl:when>
      <xsl:when test="h:low/@nullFlavor = 'NINF' and h:high/@nullFlavor = 'PINF'">No limits</xsl:when>
      <xsl:when test="h:high/@nullFlavor = 'PINF'">No upper limit</xsl:when>
      <xsl:when test="h:low/@nullFlavor = 'NINF'">No lower limit</xsl:when>
      <xsl:when test="(h:numerator/@value or h:denominator/@value) and (h:numerator | h:denominator)[2]">
        <xsl:for-each select="h:numerator | h:denominator"><xsl:value-of select="concat(substring(':', 1, number(boolean(self::h:denominator))), @value, @unit[. != '1'])"/><xsl:if test="not(@value)"><xsl:value-of select="concat('(', $words/absent[@flavor = current()/@nullFlavor], substring('unknown', 1, 7 * not($words/absent[@flavor = current()/@nullFlavor])), ')')"/></xsl:if></xsl:for-each>
      </xsl:when>
      <xsl:when test="h:origin/@value"><xsl:value-of select="normalize-space(concat(h:origin/@value, ' ', h:scale/@value, ' ', h:digits))"/></xsl:when>
      <xsl:when test="normalize-space(@displayName)"><xsl:value-of select="@displayName"/></xsl:when>
      <xsl:when test="normalize-space($original)"><xsl:value-of select="$original"/></xsl:when>
      <xsl:when test="h:translation/@displayName"><xsl:value-of select="h:translation[@displayName][1]/@displayName"/></xsl:when>
      <xsl:when test="@code != ''"><xsl:value-of select="@code"/></xsl:when>
      <xsl:when test="h:translation/@code"><xsl:value-of select="h:translation[@code][1]/@code"/></xsl:when>
      <xsl:when test="h:translation/@value"><xsl:value-of select="concat(h:translation[1]/@value, ' ', (h:translation[1]/h:originalText | h:translation[1]/@code | h:translation[1]/@unit)[1])"/></xsl:when>
      <xsl:when test="normalize-space($text)"><xsl:value-of select="$text"/></xsl:when>
      <xsl:when test="@nullFlavor"><xsl:value-of select="$words/absent[@flavor = current()/@nullFlavor]"/></xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- The most serious one of several. -->
  <xsl:template name="interpretation">
    <xsl:variable name="all" select="h:interpretationCode[@code]"/>
    <xsl:variable name="grave" select="$all[@code = 'AA' or @code = 'HH' or @code = 'LL']"/>
    <xsl:variable name="telling" select="$all[not(@code = 'N')][contains($terms, concat('|', @code, '=')) or @displayName]"/>
    <xsl:variable name="odd" select="$telling | $all[not(@code = 'N')][not($telling)]"/>
    <xsl:call-template name="named">
      <xsl:with-param name="field" select="'abnormal_interpretation'"/>
      <xsl:with-param name="whole" select="($grave | $odd[not($grave)] | $all[not($odd)] | h:interpretationCode[not($all)])[1]"/>
      <xsl:with-param name="around" select="false()"/>
    </xsl:call-template>
  </xsl:template>

  <!-- ============================================================ vital signs -->

  <xsl:template match="*" mode="VitalSigns"><LeftOut model="VitalSigns" reason="not_supported"/></xsl:template>

  <!-- A group that was taken back or cancelled as a whole has no readings; the same applies to a panel of results. -->
  <xsl:template match="h:act | h:organizer" mode="VitalSigns">
    <xsl:variable name="links" select="h:entryRelationship | h:component"/>
    <xsl:variable name="parts" select="$links/h:observation | $links/h:organizer"/>
    <xsl:variable name="why"><xsl:call-template name="whole-taken-back"/></xsl:variable>
    <xsl:choose>
      <xsl:when test="not($parts)"><LeftOut model="VitalSigns" reason="not_supported"/></xsl:when>
      <xsl:when test="$why != ''"><xsl:for-each select="$parts"><LeftOut model="VitalSigns" reason="{$why}"/></xsl:for-each></xsl:when>
      <xsl:otherwise><xsl:apply-templates select="$parts" mode="VitalSigns"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A reading that has columns of its own, else a Measurement by its code, in the document's unit. -->
  <xsl:template match="h:observation" mode="VitalSigns">
    <xsl:variable name="coded" select="h:code | h:code/h:translation"/>
    <xsl:variable name="found">
      <xsl:for-each select="$coded">
        <xsl:variable name="row" select="substring-before(substring-after($vitals, concat('|', @codeSystem, ' ', @code, '=')), '|')"/>
        <xsl:if test="$row != ''"><xsl:value-of select="concat($row, '|')"/></xsl:if>
      </xsl:for-each>
    </xsl:variable>
    <xsl:variable name="originally"><xsl:if test="$found != ''"><xsl:apply-templates select="h:code/h:originalText[1]" mode="text"/></xsl:if></xsl:variable>
    <xsl:variable name="elsewhere"><xsl:call-template name="other-thing"><xsl:with-param name="text" select="$originally"/></xsl:call-template></xsl:variable>
    <!-- Column, code, title and position of a reading for which the model has columns. -->
    <xsl:variable name="vital" select="substring-before(substring($found, 1, 999 * ($elsewhere = '')), '|')"/>
    <xsl:variable name="column" select="substring-before($vital, ';')"/>
    <!-- A value that is written out: a number with its unit, feet and inches, or the two numbers of a blood pressure. -->
    <xsl:variable name="spelt"><xsl:if test="count(h:value) = 1 and not(h:value/@nullFlavor[. != 'PINF' and . != 'NINF']) and number(h:value/@value) != number(h:value/@value)"><xsl:apply-templates select="h:value" mode="words"/></xsl:if></xsl:variable>
    <xsl:variable name="written" select="normalize-space($spelt)"/>
    <xsl:variable name="sign" select="translate($written, concat($digits, '.'), '')"/>
    <xsl:variable name="head" select="concat(substring-before($written, $sign), substring($written, 1, 99 * ($sign = '')))"/>
    <xsl:variable name="plain-number" select="concat($head, $sign) = $written and number($head) = number($head)"/>
    <xsl:variable name="inches"><xsl:call-template name="inches"><xsl:with-param name="written" select="$written"/></xsl:call-template></xsl:variable>
    <xsl:variable name="length-in" select="$column = 'height' and $inches != ''"/>
    <xsl:variable name="quantity" select="h:value[not(@nullFlavor)][$written = '']/@value"/>
    <xsl:variable name="number" select="number(concat($quantity, substring($head, 1, 99 * ($plain-number and not($length-in))), substring($inches, 1, 99 * $length-in)))"/>
    <xsl:variable name="unit">
      <xsl:choose>
        <xsl:when test="$length-in">[in_i]</xsl:when>
        <xsl:when test="$written != ''"><xsl:value-of select="normalize-space($sign)"/></xsl:when>
        <xsl:otherwise><xsl:call-template name="unit-of"><xsl:with-param name="quantity" select="h:value[1]"/></xsl:call-template></xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:variable name="upper" select="substring-before($written, '/')"/>
    <xsl:variable name="lower" select="normalize-space(substring-before(concat(substring-after($written, '/'), ' mm'), 'mm'))"/>
    <xsl:variable name="two-numbers" select="$coded/@code = $tables/pressures/@code and translate(normalize-space(substring-after($written, '/')), 'MHmhg[] ', 'mhmhg') = concat($lower, substring('mmhg', 1, 4 * contains($written, 'm')))
                                             and $upper &gt;= 50 and $upper &lt;= 300 and $lower &gt;= 20 and $lower &lt;= 200"/>
    <xsl:variable name="own-time"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="set" select="ancestor::h:organizer[1]"/>
    <xsl:variable name="time">
      <xsl:value-of select="$own-time"/>
      <xsl:if test="$own-time = ''">
        <xsl:call-template name="time"><xsl:with-param name="ts" select="($set/h:effectiveTime/@value | $set/h:effectiveTime/h:low/@value)[1]"/></xsl:call-template>
      </xsl:if>
    </xsl:variable>
    <xsl:variable name="usable" select="$number &gt; -1000000 and $number &lt; 1000000"/>
    <xsl:variable name="value">
      <xsl:if test="$vital != '' and $usable and $time != ''">
        <xsl:call-template name="converted"><xsl:with-param name="column" select="$column"/><xsl:with-param name="number" select="$number"/><xsl:with-param name="unit" select="$unit"/></xsl:call-template>
      </xsl:if>
    </xsl:variable>
    <xsl:variable name="by-loinc" select="$coded[@codeSystem = $loinc][@code != '']"/>
    <xsl:variable name="otherwise-coded" select="not($by-loinc)"/>
    <xsl:variable name="state" select="h:statusCode/@code"/>
    <xsl:variable name="type" select="normalize-space(($by-loinc | $coded[$otherwise-coded][@code != ''])[1]/@code)"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="$value != ''"/>
        <xsl:when test="$two-numbers and $time != ''"/>
        <xsl:when test="$written != '' and $state != 'cancelled' and $state != 'aborted' and $state != 'obsolete'"/>
        <xsl:when test="not($usable) and ($state = 'cancelled' or $state = 'aborted' or $state = 'obsolete')">cancelled</xsl:when>
        <xsl:when test="not($usable)">no_value</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="VitalSigns" reason="{$why}"/></xsl:when>
      <xsl:when test="$value = '' and $two-numbers and $time != ''">
        <xsl:call-template name="reading"><xsl:with-param name="vital" select="'bp_systolic;8480-6;Systolic blood pressure;'"/><xsl:with-param name="value" select="$upper"/><xsl:with-param name="time" select="$time"/></xsl:call-template>
        <xsl:call-template name="reading"><xsl:with-param name="vital" select="'bp_diastolic;8462-4;Diastolic blood pressure;'"/><xsl:with-param name="value" select="$lower"/><xsl:with-param name="time" select="$time"/></xsl:call-template>
      </xsl:when>
      <!-- The models of readings hold numbers. What is only said in words is kept with its name, as an observation of
           this category. -->
      <xsl:when test="$value = '' and ($written != '' or $type = '' or string-length($type) > 24)"><xsl:call-template name="said-in-words"><xsl:with-param name="said" select="concat($written, substring(concat($quantity, ' ', $unit), 1, 300 * ($written = '')))"/><xsl:with-param name="time" select="$time"/><xsl:with-param name="vital" select="$vital"/></xsl:call-template></xsl:when>
      <xsl:when test="$value = ''">
        <Model name="Measurement">
          <xsl:call-template name="identity"/>
          <xsl:variable name="called"><xsl:call-template name="named"><xsl:with-param name="field" select="'one'"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="prefer" select="$loinc"/></xsl:call-template></xsl:variable>
          <Field name="type"><xsl:value-of select="$type"/></Field>
          <!-- A code that is known has a name, also where the sender wrote none. -->
          <Field name="name">
            <xsl:if test="$elsewhere != ''"><xsl:value-of select="normalize-space($originally)"/></xsl:if>
            <xsl:value-of select="exsl:node-set($called)/Field[@name = 'one_title'][. != $type][$elsewhere = '']"/>
            <xsl:if test="$elsewhere = '' and not(exsl:node-set($called)/Field[@name = 'one_title'] != $type)"><xsl:value-of select="substring-before(substring-after(substring-after($vital, ';'), ';'), ';')"/></xsl:if>
          </Field>
          <Field name="value"><xsl:value-of select="$number"/></Field>
          <Field name="unit"><xsl:value-of select="$unit"/></Field>
          <Field name="datetime"><xsl:value-of select="$time"/></Field>
          <xsl:call-template name="result-status"/>
          <Field name="notes"><xsl:call-template name="beside"/></Field>
        </Model>
      </xsl:when>
      <xsl:otherwise><xsl:call-template name="reading"><xsl:with-param name="vital" select="$vital"/><xsl:with-param name="value" select="$value"/><xsl:with-param name="time" select="$time"/></xsl:call-template></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- One number of the row `vital` (column, code, title and position). -->
  <xsl:template name="reading">
    <xsl:param name="vital"/>
    <xsl:param name="value"/>
    <xsl:param name="time"/>
    <xsl:variable name="column" select="substring-before($vital, ';')"/>
    <!-- A reading with remarks of its own makes a set of its own. The two numbers of a blood pressure stay together,
         and the remarks say of which number they are. -->
    <xsl:variable name="pair" select="ancestor::h:organizer[1][starts-with($column, 'bp_')]/h:component/h:observation[h:code[@codeSystem = $loinc][@code = '8480-6' or @code = '8462-4']]"/>
    <xsl:variable name="in-pair" select="count($pair) = 2 and count($pair | .) = 2 and $pair[1]/h:code/@code != $pair[2]/h:code/@code and $pair[1]/h:statusCode/@code = $pair[2]/h:statusCode/@code and string($pair[1]/h:effectiveTime/@value) = string($pair[2]/h:effectiveTime/@value)"/>
    <xsl:variable name="remarks">
      <xsl:choose>
        <xsl:when test="$in-pair"><xsl:for-each select="$pair">
          <xsl:variable name="own"><xsl:call-template name="reading-remarks"><xsl:with-param name="column" select="$column"/></xsl:call-template></xsl:variable>
          <xsl:if test="normalize-space($own) != ''"><xsl:value-of select="concat(' ', substring('Systolic', 1, 8 * (h:code/@code = '8480-6')), substring('Diastolic', 1, 9 * (h:code/@code = '8462-4')), ' blood pressure: ', normalize-space($own))"/></xsl:if>
        </xsl:for-each></xsl:when>
        <xsl:otherwise><xsl:call-template name="reading-remarks"><xsl:with-param name="column" select="$column"/></xsl:call-template></xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:variable name="remarked" select="normalize-space($remarks) != ''"/>
    <xsl:variable name="set-of-its-own" select="(. | $pair[$in-pair])[1]"/>
    <Reading group="{generate-id((ancestor::h:section[1] | ancestor::h:organizer)[last()])}|{$time}|{h:statusCode/@code}{substring(concat('|', generate-id($set-of-its-own)), 1, 99 * $remarked)}" date="{$time}"
             column="{$column}" code="{substring-before(substring-after($vital, ';'), ';')}" value="{$value}"
             title="{substring-before(substring-after(substring-after($vital, ';'), ';'), ';')}">
      <xsl:call-template name="identity"/>
      <xsl:if test="starts-with($column, 'bp_')">
        <xsl:variable name="position" select="substring-after(substring-after(substring-after($vital, ';'), ';'), ';')"/>
        <xsl:attribute name="position">
          <xsl:value-of select="$position"/>
          <xsl:if test="$position = ''"><xsl:value-of select="$words/position[@code = current()/h:methodCode/@code]/@code"/></xsl:if>
        </xsl:attribute>
        <xsl:attribute name="site"><xsl:value-of select="$words/site[@code = current()/h:targetSiteCode/@code]/@code"/></xsl:attribute>
        <xsl:attribute name="method"><xsl:value-of select="$words/method[@from = current()/h:methodCode/@code]/@to"/></xsl:attribute>
      </xsl:if>
      <xsl:call-template name="result-status"/>
      <xsl:if test="$remarked"><Field name="notes"><xsl:value-of select="$remarks"/></Field></xsl:if>
    </Reading>
  </xsl:template>

  <!-- What is remarked on a reading, but for what its column says itself. -->
  <xsl:template name="reading-remarks">
    <xsl:param name="column"/>
    <xsl:apply-templates select="." mode="comments"/><xsl:call-template name="own-words"/>
    <xsl:call-template name="original-words"><xsl:with-param name="title" select="h:code/@displayName"/></xsl:call-template>
    <xsl:call-template name="of-the-whole"><xsl:with-param name="whole" select="ancestor::h:organizer[1]"/></xsl:call-template>
    <xsl:call-template name="observed-beside"/>
    <xsl:variable name="thought"><xsl:call-template name="interpretation"/></xsl:variable>
    <xsl:for-each select="exsl:node-set($thought)/Field[@name = 'abnormal_interpretation_title'][not(../Field[@name = 'abnormal_interpretation_identifier'] = 'N')]"><xsl:value-of select="concat(' Interpretation: ', ., '.')"/></xsl:for-each>
    <xsl:call-template name="site-and-method"><xsl:with-param name="known" select="($words/position/@code | $words/site/@code | $words/method/@from)[starts-with($column, 'bp_')]"/></xsl:call-template>
  </xsl:template>

  <xsl:template name="said-in-words">
    <xsl:param name="said"/>
    <xsl:param name="time"/>
    <xsl:param name="vital"/>
    <xsl:variable name="known"><name><xsl:value-of select="substring-before(substring-after(substring-after($vital, ';'), ';'), ';')"/></name></xsl:variable>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="prefer" select="$loinc"/><xsl:with-param name="label" select="exsl:node-set($known)/name"/></xsl:call-template></xsl:variable>
    <xsl:choose>
      <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="VitalSigns" reason="no_code"/></xsl:when>
      <xsl:when test="$time != ''">
        <Model name="VitalSigns">
          <xsl:call-template name="identity"/>
          <Field name="date"><xsl:value-of select="$time"/></Field>
          <xsl:for-each select="exsl:node-set($named)/Field"><Field name="{concat('other', substring(@name, 5))}"><xsl:value-of select="."/></Field></xsl:for-each>
          <Field name="other_words"><xsl:value-of select="$said"/></Field>
          <Field name="notes"><xsl:call-template name="beside"/></Field>
          <xsl:call-template name="result-status"/>
        </Model>
      </xsl:when>
      <!-- A vital sign needs a time. -->
      <xsl:otherwise>
        <Model name="SocialHistory">
          <xsl:call-template name="identity"/>
          <xsl:copy-of select="$named"/>
          <Field name="value_title"><xsl:value-of select="$said"/></Field>
          <Field name="notes"><xsl:call-template name="beside"/></Field>
          <Field name="category_identifier">vital-signs</Field>
          <Field name="category_title">Vital signs</Field>
          <Field name="category_system">http://terminology.hl7.org/CodeSystem/observation-category</Field>
          <xsl:call-template name="result-status"/>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- What stands beside a value: comments, what is thought of it, and its ranges. -->
  <xsl:template name="beside">
    <xsl:apply-templates select="." mode="comments"/><xsl:call-template name="own-words"/>
    <xsl:call-template name="of-the-whole"><xsl:with-param name="whole" select="ancestor::h:organizer[1]"/></xsl:call-template>
    <xsl:call-template name="observed-beside"/>
    <xsl:variable name="thought"><xsl:call-template name="interpretation"/></xsl:variable>
    <xsl:for-each select="exsl:node-set($thought)/Field[@name = 'abnormal_interpretation_title']"><xsl:value-of select="concat(' ', ., '.')"/></xsl:for-each>
    <xsl:variable name="ranges"><xsl:call-template name="ranges"/></xsl:variable>
    <xsl:if test="$ranges != ''"><xsl:value-of select="concat(' ', $ranges, '.')"/></xsl:if>
  </xsl:template>

  <!-- Feet and inches, such as 5 ft 10 in or 5'10", in inches; nothing for any other text. -->
  <xsl:template name="inches">
    <xsl:param name="written"/>
    <xsl:variable name="quotes">'&#x2019;&#x2032;"&#x201D;&#x2033;FI</xsl:variable>
    <xsl:variable name="short" select="translate($written, concat($quotes, ' ENCHTOSenchtos'), 'fffiiifi')"/>
    <xsl:variable name="feet" select="substring-before($short, 'f')"/>
    <xsl:variable name="rest" select="translate(substring-after($short, 'f'), 'i', '')"/>
    <xsl:if test="translate(concat($feet, $rest), $digits, '') = '' and $feet &gt;= 1 and $feet &lt;= 8 and ($rest = '' or $rest &lt; 12)
                  and ($short = concat($feet, 'f', $rest, 'i') or $short = concat($feet, 'f', $rest))">
      <xsl:value-of select="$feet * 12 + number(concat('0', $rest))"/>
    </xsl:if>
  </xsl:template>

  <!-- ============================================================ procedures -->

  <xsl:template match="*" mode="Procedure"><LeftOut model="Procedure" reason="not_supported"/></xsl:template>

  <xsl:template match="h:organizer | h:act[h:entryRelationship/h:procedure][not(h:templateId/@root = '2.16.840.1.113883.10.20.22.4.12')]" mode="Procedure">
    <xsl:variable name="links" select="h:component | h:entryRelationship"/>
    <xsl:variable name="parts" select="$links/h:procedure | h:component/h:act | h:component/h:observation | h:component/h:organizer"/>
    <xsl:apply-templates select="$parts" mode="Procedure"/>
    <xsl:if test="not($parts)"><LeftOut model="Procedure" reason="not_supported"/></xsl:if>
  </xsl:template>

  <!-- The model needs a name, and words without a code are enough. -->
  <xsl:template match="h:act[not(h:code/@code = '48767-8')] | h:observation | h:procedure" mode="Procedure">
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="prefer" select="$snomed"/></xsl:call-template></xsl:variable>
    <xsl:variable name="name" select="exsl:node-set($named)/Field"/>
    <xsl:variable name="always"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="general"><xsl:value-of select="$always"/><xsl:if test="$always = ''"><xsl:call-template name="not-begun"/></xsl:if></xsl:variable>
    <xsl:variable name="remarks"><call><xsl:apply-templates select="h:text[1]" mode="text"/></call><call><xsl:apply-templates select="." mode="comments"/></call></xsl:variable>
    <xsl:variable name="undone"><xsl:call-template name="name-says-undone"><xsl:with-param name="names" select="$name[@name = 'name_title'] | h:code/h:originalText"/></xsl:call-template><xsl:call-template name="says-not-given"><xsl:with-param name="remarks" select="exsl:node-set($remarks)/call"/><xsl:with-param name="whole" select="true()"/></xsl:call-template></xsl:variable>
    <xsl:variable name="alone"><xsl:if test="not($name) and $general = ''"><xsl:apply-templates select="h:participant[@typeCode = 'DEV']/h:participantRole[h:playingDevice]" mode="Implant"/></xsl:if></xsl:variable>
    <xsl:variable name="nothing"><xsl:if test="$undone != ''">negated</xsl:if><xsl:if test="$undone = ''"><xsl:call-template name="absence"><xsl:with-param name="name" select="$name"/><xsl:with-param name="model" select="'Procedure'"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:variable name="absence"><xsl:value-of select="$nothing"/><xsl:if test="$nothing = ''"><xsl:call-template name="of-relative"><xsl:with-param name="name" select="$name[@name = 'name_title']"/></xsl:call-template></xsl:if></xsl:variable>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="Procedure" reason="{$general}"/></xsl:when>
      <!-- Implants are told without the operation in which they were put in. -->
      <xsl:when test="not($name) and exsl:node-set($alone)/Model"><xsl:copy-of select="$alone"/></xsl:when>
      <xsl:when test="not($name)"><LeftOut model="Procedure" reason="no_code"/></xsl:when>
      <xsl:when test="$absence != ''"><LeftOut model="Procedure" reason="{$absence}"/></xsl:when>
      <xsl:otherwise>
        <Model name="Procedure">
          <xsl:call-template name="identity"/>
          <Field name="date_performed"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></Field>
          <Field name="name"><xsl:value-of select="$name[@name = 'name_title']"/></Field>
          <Field name="name_type"><xsl:value-of select="$name[@name = 'name_system']"/></Field>
          <Field name="name_value"><xsl:value-of select="$name[@name = 'name_identifier']"/></Field>
          <Field name="provider_name"><xsl:apply-templates select="(h:performer/h:assignedEntity/h:assignedPerson/h:name)[1]" mode="words"/></Field>
          <Field name="provider_institution"><xsl:value-of select="h:performer/h:assignedEntity/h:representedOrganization/h:name"/></Field>
          <!-- Of whom the two names are. -->
          <xsl:for-each select="(h:performer/h:assignedEntity[normalize-space(h:assignedPerson/h:name)])[1]">
            <xsl:if test="not(../../h:performer/h:assignedEntity/h:representedOrganization[normalize-space(h:name)]) or generate-id((../../h:performer/h:assignedEntity/h:representedOrganization[normalize-space(h:name)])[1]/..) = generate-id()">
              <Field name="provider_npi_number"><xsl:value-of select="h:id[@root = '2.16.840.1.113883.4.6']/@extension"/></Field>
              <xsl:call-template name="named"><xsl:with-param name="field" select="'provider_specialty'"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
            </xsl:if>
          </xsl:for-each>
          <Field name="location"><xsl:value-of select="h:participant[@typeCode = 'LOC']/h:participantRole/h:playingEntity/h:name"/></Field>
          <xsl:call-template name="visit"/>
          <Field name="comments">
            <xsl:apply-templates select="." mode="comments"/><xsl:call-template name="own-words"><xsl:with-param name="name" select="exsl:node-set($named)/Field"/></xsl:call-template>
            <xsl:call-template name="site-and-method"/>
            <xsl:for-each select="h:code/h:qualifier"><xsl:variable name="said"><xsl:apply-templates select="h:value" mode="words"/></xsl:variable><xsl:if test="normalize-space($said) != ''"><xsl:value-of select="concat(' ', h:name/@displayName, substring(': ', 1, 2 * boolean(h:name/@displayName)), normalize-space($said), '.')"/></xsl:if></xsl:for-each>
            <xsl:for-each select="h:participant[@typeCode = 'DEV']/h:participantRole[h:playingDevice]">
              <xsl:variable name="device"><xsl:call-template name="named"><xsl:with-param name="field" select="'one'"/><xsl:with-param name="whole" select="h:playingDevice/h:code"/><xsl:with-param name="label" select="h:playingDevice/h:manufacturerModelName"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
              <xsl:variable name="called" select="exsl:node-set($device)/Field[@name = 'one_title']"/>
              <xsl:if test="$called or h:id/@extension"><xsl:value-of select="concat(' Device: ', $called, substring(', ', 1, 2 * (boolean($called) and boolean(h:id/@extension))), h:id/@extension, '.')"/></xsl:if>
            </xsl:for-each>
            <xsl:variable name="seen"><xsl:for-each select="self::h:observation/h:value"><xsl:if test="position() > 1">; </xsl:if><xsl:apply-templates select="." mode="words"/></xsl:for-each></xsl:variable>
            <xsl:if test="normalize-space($seen) != ''"><xsl:value-of select="concat(' Result: ', normalize-space($seen), '.')"/></xsl:if>
            <xsl:call-template name="until"/>
            <xsl:call-template name="others"/>
            <xsl:call-template name="reasons"/>
            <xsl:call-template name="observed-of"/>
            <xsl:call-template name="said-in-acts"/>
            <xsl:for-each select="h:entryRelationship/*[self::h:procedure or self::h:act[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.12']][not(@nullFlavor)][position() &lt;= 50]"><xsl:call-template name="said-of"><xsl:with-param name="label" select="concat(substring('Part', 1, 4 * (../@typeCode = 'COMP')), substring('Also', 1, 4 * not(../@typeCode = 'COMP')), substring(', not done', 1, 10 * boolean(@negationInd[contains($yes, concat('|', ., '|'))])), substring(', planned', 1, 9 * boolean(@moodCode[. != 'EVN'])))"/><xsl:with-param name="whole" select="h:code"/></xsl:call-template></xsl:for-each>
            <xsl:call-template name="told"/>
          </Field>
          <!-- An attempt that failed is complete, too, so its own word counts. -->
          <xsl:call-template name="status"><xsl:with-param name="said" select="h:entryRelationship/h:act[not(@negationInd)]/h:code[@code = '103709008'][1]"/></xsl:call-template>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
    <xsl:if test="$general = '' and $name and $absence = ''"><xsl:apply-templates select="h:participant[@typeCode = 'DEV']/h:participantRole[h:playingDevice][h:id[@root = $udi and @extension != '' or @nullFlavor = 'MSK'] or ../../h:entryRelationship/h:organizer/h:templateId/@root = '2.16.840.1.113883.10.20.22.4.311']" mode="Implant"/></xsl:if>
    <!-- Medications that were given during it. -->
    <xsl:apply-templates select="h:entryRelationship/h:substanceAdministration[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.16']" mode="Medication">
      <xsl:with-param name="given" select="'administration'"/>
    </xsl:apply-templates>
  </xsl:template>

  <!-- What acts inside say, such as a note, or that an attempt failed. Remarks, instructions and further procedures are
       told at their own places. -->
  <xsl:template name="said-in-acts">
    <xsl:for-each select="h:entryRelationship/h:act[not(@nullFlavor or @negationInd)][not(h:code/@code = '48767-8')][not(h:templateId) or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.202'][position() &lt;= 20]">
      <xsl:variable name="what"><xsl:call-template name="named"><xsl:with-param name="field" select="'what'"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
      <xsl:variable name="text"><xsl:apply-templates select="h:text[1]" mode="text"/></xsl:variable>
      <xsl:variable name="title" select="normalize-space(exsl:node-set($what)/Field[@name = 'what_title'])"/>
      <xsl:variable name="said" select="normalize-space($text)"/>
      <xsl:if test="$title != '' or $said != ''"><xsl:value-of select="concat(' ', $title, substring(': ', 1, 2 * ($title != '' and $said != '')), $said, '.')"/></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- ============================================================ family, directives, insurance, goals, plans -->

  <xsl:template match="*" mode="FamilyHistory"><LeftOut model="FamilyHistory" reason="not_supported"/></xsl:template>

  <!-- The illnesses of one relative. What the relative does not have is read in the notes. -->
  <xsl:template match="h:organizer | h:act | h:observation" mode="FamilyHistory">
    <xsl:variable name="seen" select="self::h:observation | (h:component | h:entryRelationship)/h:observation[not(h:templateId/@root = '2.16.840.1.113883.10.20.22.4.47')]"/>
    <xsl:variable name="relative" select="(h:subject | ancestor::h:section[1]/h:subject[not(current()/h:subject)])[1]/h:relatedSubject"/>
    <xsl:variable name="who" select="$relative/h:subject"/>
    <xsl:variable name="whose"><Of><xsl:call-template name="identity"/></Of></xsl:variable>
    <xsl:variable name="id" select="exsl:node-set($whose)/Of/@*"/>
    <xsl:variable name="died"><xsl:call-template name="time"><xsl:with-param name="ts" select="$who/*[local-name() = 'deceasedTime']/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="born"><xsl:call-template name="time"><xsl:with-param name="ts" select="$who/h:birthTime/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="common">
      <xsl:variable name="relation"><xsl:call-template name="named"><xsl:with-param name="field" select="'relation'"/><xsl:with-param name="whole" select="$relative/h:code"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
      <xsl:copy-of select="$relation"/>
      <xsl:if test="not(exsl:node-set($relation)/Field)"><Field name="relation_title">Family member</Field></xsl:if>
      <Field name="relative_name"><xsl:apply-templates select="$who/h:name[1]" mode="words"/></Field>
      <xsl:variable name="gender" select="$who/h:administrativeGenderCode/@code"/>
      <xsl:call-template name="named"><xsl:with-param name="field" select="'sex'"/><xsl:with-param name="whole" select="$who/h:administrativeGenderCode"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
      <Field name="born"><xsl:value-of select="$born"/></Field>
      <Field name="deceased">
        <xsl:variable name="death-age"><xsl:apply-templates select="($seen/h:entryRelationship/h:observation[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.47' or h:value/@code = '419099009'] | h:component/h:observation[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.47'])[1]/h:entryRelationship/h:observation[h:code/@code = '445518008' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.31']/h:value[1]" mode="age"/></xsl:variable>
        <xsl:value-of select="substring($died, 1, 10)"/>
        <xsl:if test="$died = ''"><xsl:value-of select="$death-age"/></xsl:if>
        <xsl:if test="$died = '' and $death-age = ''"><xsl:value-of select="concat(substring('yes', 1, 3 * boolean($who/*[local-name() = 'deceasedInd'][@value = 'true' or @value = '1'] or h:component/h:observation/h:entryRelationship/h:observation[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.47'])), substring('no', 1, 2 * boolean($who/*[local-name() = 'deceasedInd'][@value = 'false' or @value = '0'])))"/></xsl:if>
      </Field>
    </xsl:variable>
    <xsl:variable name="denied">
      <xsl:for-each select="$seen[@negationInd[contains($yes, concat('|', ., '|'))]]">
        <xsl:variable name="one"><xsl:call-template name="named"><xsl:with-param name="field" select="'one'"/><xsl:with-param name="whole" select="h:value"/><xsl:with-param name="prefer" select="$snomed"/></xsl:call-template></xsl:variable>
        <xsl:value-of select="concat(substring(', ', 1, 2 * (position() > 1)), exsl:node-set($one)/Field[@name = 'one_title'])"/>
      </xsl:for-each>
    </xsl:variable>
    <xsl:variable name="drafts">
      <xsl:for-each select="$seen[not(@negationInd[contains($yes, concat('|', ., '|'))])]">
        <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'condition'"/><xsl:with-param name="whole" select="h:value"/><xsl:with-param name="prefer" select="$snomed"/></xsl:call-template></xsl:variable>
        <xsl:variable name="age" select="h:entryRelationship/h:observation[h:code/@code = '445518008' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.31']/h:value"/>
        <xsl:variable name="onset-age"><xsl:apply-templates select="$age[1]" mode="age"/></xsl:variable>
        <xsl:variable name="since"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
        <xsl:variable name="no-illness"><xsl:call-template name="no-illness"><xsl:with-param name="name" select="exsl:node-set($named)/Field"/></xsl:call-template></xsl:variable>
        <xsl:variable name="unreadable" select="@negationInd[. != ''][not(contains(concat($yes, $no), concat('|', ., '|')))]"/>
        <xsl:choose>
          <xsl:when test="@nullFlavor"><LeftOut model="FamilyHistory" reason="no_information"/></xsl:when>
          <xsl:when test="$unreadable"><LeftOut model="FamilyHistory" reason="unreadable_negation"/></xsl:when>
          <xsl:when test="h:statusCode/@code = 'nullified'"><LeftOut model="FamilyHistory" reason="entered_in_error"/></xsl:when>
          <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="FamilyHistory" reason="no_code"/></xsl:when>
          <xsl:otherwise>
            <Model name="FamilyHistory">
              <xsl:copy-of select="$common"/>
              <xsl:copy-of select="exsl:node-set($named)/Field[$no-illness = '']"/>
              <Field name="onset">
                <xsl:value-of select="concat($onset-age, substring($since, 1, 10 * ($onset-age = '')))"/>
              </Field>
              <xsl:if test="h:entryRelationship[@typeCode = 'CAUS']/h:observation[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.47' or h:value/@code = '419099009']"><Field name="caused_death">true</Field></xsl:if>
              <Field name="notes">
                <xsl:value-of select="$no-illness"/>
                <xsl:apply-templates select="." mode="comments"/><xsl:call-template name="own-words"><xsl:with-param name="name" select="exsl:node-set($named)/Field"/></xsl:call-template>
                <xsl:call-template name="site-and-method"/>
                <xsl:call-template name="observed-beside"><xsl:with-param name="known" select="$age/parent::h:observation | h:entryRelationship/h:observation[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.47' or h:value/@code = '419099009']"/></xsl:call-template>
              </Field>
            </Model>
          </xsl:otherwise>
        </xsl:choose>
      </xsl:for-each>
    </xsl:variable>
    <xsl:variable name="kept" select="exsl:node-set($drafts)/Model"/>
    <xsl:variable name="not-there"><xsl:apply-templates select="self::h:organizer | self::h:act" mode="comments"/><xsl:if test="normalize-space($denied) != ''"><xsl:value-of select="concat(' It is said that this relative does not have: ', $denied, '.')"/></xsl:if></xsl:variable>
    <xsl:choose>
      <xsl:when test="@nullFlavor"><LeftOut model="FamilyHistory" reason="no_information"/></xsl:when>
      <xsl:when test="h:statusCode/@code = 'nullified'"><LeftOut model="FamilyHistory" reason="entered_in_error"/></xsl:when>
      <xsl:otherwise>
        <xsl:for-each select="$kept">
          <Model name="FamilyHistory">
            <xsl:copy-of select="$id"/>
            <xsl:copy-of select="Field[@name != 'notes']"/>
            <Field name="notes"><xsl:value-of select="Field[@name = 'notes']"/><xsl:if test="position() = 1"><xsl:value-of select="$not-there"/></xsl:if></Field>
          </Model>
        </xsl:for-each>
        <xsl:if test="not($kept) and ($relative or $not-there != '')">
          <Model name="FamilyHistory"><xsl:copy-of select="$id"/><xsl:copy-of select="$common"/><Field name="notes"><xsl:value-of select="$not-there"/></Field></Model>
        </xsl:if>
        <xsl:copy-of select="exsl:node-set($drafts)/LeftOut"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- An age, or one of two ages: "at the age of 40 - 50 years". -->
  <xsl:template match="h:value" mode="age">
    <xsl:variable name="said"><xsl:apply-templates select="." mode="words"/></xsl:variable>
    <xsl:variable name="unit" select="(@unit | h:low/@unit | h:high/@unit)[1]"/>
    <xsl:variable name="number" select="normalize-space(concat(substring-before(concat(normalize-space($said), concat(' ', $unit)), concat(' ', $unit)), ''))"/>
    <xsl:if test="$number != '' and (@value or h:low/@value or h:high/@value)"><xsl:value-of select="normalize-space(concat('at the age of ', $number, ' ', substring('years', 1, 5 * ($unit = 'a')), substring('months', 1, 6 * ($unit = 'mo')), $unit[. != 'a' and . != 'mo']))"/></xsl:if>
  </xsl:template>

  <xsl:template match="*" mode="AdvanceDirective"><LeftOut model="AdvanceDirective" reason="not_supported"/></xsl:template>

  <xsl:template match="h:organizer | h:act[h:entryRelationship/h:observation]" mode="AdvanceDirective">
    <xsl:apply-templates select="(h:component | h:entryRelationship)/*[self::h:observation or self::h:organizer]" mode="AdvanceDirective"/>
  </xsl:template>

  <xsl:template match="h:observation" mode="AdvanceDirective">
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="prefer" select="$snomed"/></xsl:call-template></xsl:variable>
    <xsl:variable name="wanted"><xsl:call-template name="named"><xsl:with-param name="field" select="'value'"/><xsl:with-param name="whole" select="h:value"/><xsl:with-param name="prefer" select="$snomed"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"><xsl:with-param name="negated-too" select="true()"/></xsl:apply-templates></xsl:variable>
    <xsl:variable name="text"><xsl:apply-templates select="h:text[1]" mode="text"/></xsl:variable>
    <xsl:variable name="original"><xsl:apply-templates select="h:value/h:originalText[1]" mode="text"/></xsl:variable>
    <xsl:variable name="negated" select="@negationInd[contains($yes, concat('|', ., '|'))]"/>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="AdvanceDirective" reason="{$general}"/></xsl:when>
      <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="AdvanceDirective" reason="no_code"/></xsl:when>
      <xsl:otherwise>
        <Model name="AdvanceDirective">
          <xsl:call-template name="identity"/>
          <xsl:copy-of select="$named"/>
          <!-- What is negated is only told in words, so that nobody reads the opposite. -->
          <xsl:if test="not($negated)"><xsl:copy-of select="$wanted"/></xsl:if>
          <Field name="said">
            <xsl:if test="$negated">Not: <xsl:value-of select="exsl:node-set($wanted)/Field[@name = 'value_title']"/><xsl:text>. </xsl:text></xsl:if>
            <xsl:value-of select="$text"/>
            <xsl:if test="normalize-space($original) and not(contains($text, $original)) and not(exsl:node-set($wanted)/Field = $original)"><xsl:value-of select="concat(' ', $original)"/></xsl:if>
          </Field>
          <Field name="start"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></Field>
          <Field name="end"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/h:high/@value"/></xsl:call-template></Field>
          <Field name="agent"><xsl:for-each select="h:participant[@typeCode = 'CST']/h:participantRole"><xsl:if test="position() > 1">, </xsl:if><xsl:apply-templates select="h:playingEntity/h:name[1]" mode="words"/><xsl:if test="h:code/@displayName"><xsl:value-of select="concat(' (', h:code/@displayName, ')')"/></xsl:if></xsl:for-each></Field>
          <Field name="verified">
            <xsl:for-each select="h:participant[@typeCode = 'VRF'][1]">
              <xsl:apply-templates select="(h:participantRole/h:playingEntity/h:name)[1]" mode="words"/>
              <xsl:variable name="when"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:time/@value | h:time/h:low/@value)[1]"/></xsl:call-template></xsl:variable>
              <xsl:value-of select="concat(' ', substring($when, 1, 10))"/>
            </xsl:for-each>
          </Field>
          <Field name="paper"><xsl:apply-templates select="h:reference/h:externalDocument/h:text" mode="text"/><xsl:value-of select="h:reference/h:externalDocument/h:text/h:reference/@value"/></Field>
          <xsl:if test="h:statusCode/@code != 'completed'"><xsl:call-template name="status"/></xsl:if>
          <Field name="notes"><xsl:apply-templates select="." mode="comments"/></Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="*" mode="Coverage"><LeftOut model="Coverage" reason="not_supported"/></xsl:template>

  <!-- A coverage holds policies. One that holds none is one itself. -->
  <xsl:template match="h:act[h:entryRelationship/h:act[h:performer or h:participant]]" mode="Coverage" priority="2">
    <xsl:apply-templates select="h:entryRelationship/h:act[h:performer or h:participant]" mode="Policy"/>
  </xsl:template>

  <xsl:template match="h:act[h:performer or h:participant]" mode="Coverage"><xsl:apply-templates select="." mode="Policy"/></xsl:template>

  <xsl:template match="h:act" mode="Policy">
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="payer" select="(h:performer[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.87'] | h:performer[not(h:templateId/@root = '2.16.840.1.113883.10.20.22.4.88')])[1]/h:assignedEntity"/>
    <xsl:variable name="covered" select="h:participant[@typeCode = 'COV'][1]"/>
    <xsl:variable name="holder" select="h:participant[@typeCode = 'HLD'][1]/h:participantRole"/>
    <xsl:variable name="kind"><xsl:call-template name="named"><xsl:with-param name="field" select="'kind'"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
    <xsl:variable name="plan" select="h:entryRelationship/h:act[@moodCode = 'DEF']/h:text"/>
    <xsl:variable name="plan-text"><xsl:apply-templates select="$plan" mode="text"/></xsl:variable>
    <xsl:variable name="called" select="normalize-space(($payer/h:representedOrganization/h:name[normalize-space()] | exsl:node-set($kind)/Field[@name = 'kind_title'][not($payer/h:representedOrganization/h:name[normalize-space()])])[1])"/>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="Coverage" reason="{$general}"/></xsl:when>
      <xsl:when test="$called = ''"><LeftOut model="Coverage" reason="no_code"/></xsl:when>
      <xsl:otherwise>
        <Model name="Coverage">
          <xsl:call-template name="identity"/>
          <Field name="payer"><xsl:value-of select="$called"/></Field>
          <Field name="plan"><xsl:value-of select="$plan-text"/></Field>
          <Field name="plan_id"><xsl:value-of select="h:entryRelationship/h:act[@moodCode = 'DEF']/h:id/@extension"/></Field>
          <xsl:copy-of select="$kind"/>
          <Field name="member_id"><xsl:value-of select="$covered/h:participantRole/h:id/@extension"/></Field>
          <Field name="group_id"><xsl:value-of select="h:id[1]/@extension"/></Field>
          <Field name="subscriber"><xsl:apply-templates select="$holder/h:playingEntity/h:name[1]" mode="words"/></Field>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'relationship'"/><xsl:with-param name="whole" select="$covered/h:participantRole/h:code"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
          <Field name="rank"><xsl:value-of select="../h:sequenceNumber/@value"/></Field>
          <Field name="start"><xsl:call-template name="time"><xsl:with-param name="ts" select="$covered/h:time/h:low/@value"/></xsl:call-template></Field>
          <Field name="end"><xsl:call-template name="time"><xsl:with-param name="ts" select="$covered/h:time/h:high/@value"/></xsl:call-template></Field>
          <xsl:if test="h:statusCode/@code != 'completed'"><xsl:call-template name="status"/></xsl:if>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="*" mode="Goal"><LeftOut model="Goal" reason="not_supported"/></xsl:template>

  <xsl:template match="h:organizer | h:act" mode="Goal">
    <xsl:variable name="parts" select="(h:component | h:entryRelationship)/h:observation[@moodCode = 'GOL']"/>
    <xsl:apply-templates select="$parts" mode="Goal"/>
    <xsl:if test="not($parts)"><LeftOut model="Goal" reason="not_supported"/></xsl:if>
  </xsl:template>

  <xsl:template match="h:observation" mode="Goal">
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'description'"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="prefer" select="$loinc"/></xsl:call-template></xsl:variable>
    <xsl:variable name="values"><xsl:for-each select="h:value[not(@nullFlavor)]"><xsl:if test="position() > 1">; </xsl:if><xsl:apply-templates select="." mode="words"/></xsl:for-each></xsl:variable>
    <xsl:variable name="author" select="h:author/h:assignedAuthor"/>
    <xsl:choose>
      <xsl:when test="@nullFlavor"><LeftOut model="Goal" reason="no_information"/></xsl:when>
      <xsl:when test="h:statusCode/@code = 'nullified'"><LeftOut model="Goal" reason="entered_in_error"/></xsl:when>
      <xsl:when test="@negationInd[contains($yes, concat('|', ., '|'))]"><LeftOut model="Goal" reason="negated"/></xsl:when>
      <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="Goal" reason="no_code"/></xsl:when>
      <xsl:otherwise>
        <Model name="Goal">
          <xsl:call-template name="identity"/>
          <xsl:copy-of select="$named"/>
          <Field name="target"><xsl:value-of select="normalize-space($values)"/></Field>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'priority'"/><xsl:with-param name="whole" select="h:entryRelationship/h:observation[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.143']/h:value"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
          <Field name="set_by"><xsl:for-each select="$author"><xsl:if test="position() > 1">, </xsl:if><xsl:apply-templates select="(h:assignedPerson/h:name | h:representedOrganization/h:name)[1]" mode="words"/></xsl:for-each></Field>
          <Field name="start"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></Field>
          <Field name="target_date"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/h:high/@value"/></xsl:call-template></Field>
          <xsl:call-template name="status"/>
          <Field name="notes">
            <xsl:apply-templates select="." mode="comments"/>
            <xsl:variable name="text"><xsl:apply-templates select="h:text[1]" mode="text"/></xsl:variable>
            <xsl:if test="$text != '' and $text != exsl:node-set($named)/Field[@name = 'description_title']"><xsl:value-of select="concat(' ', $text)"/></xsl:if>
            <xsl:call-template name="observed-beside"><xsl:with-param name="known" select="h:entryRelationship/h:observation[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.143']"/></xsl:call-template>
          </Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="*" mode="CarePlan">
    <xsl:param name="kind" select="'CarePlan'"/>
    <LeftOut model="{$kind}" reason="not_supported"/>
  </xsl:template>

  <!-- What is planned, ordered or arranged; what has been done is none. -->
  <xsl:template match="h:act[translate(@moodCode, 'evn', 'EVN') != 'EVN'] | h:encounter[translate(@moodCode, 'evn', 'EVN') != 'EVN'] | h:observation[translate(@moodCode, 'evn', 'EVN') != 'EVN'] | h:procedure[translate(@moodCode, 'evn', 'EVN') != 'EVN'] | h:substanceAdministration[translate(@moodCode, 'evn', 'EVN') != 'EVN'] | h:supply[translate(@moodCode, 'evn', 'EVN') != 'EVN']" mode="CarePlan">
    <xsl:variable name="product" select="(h:consumable | h:product)/h:manufacturedProduct/*[self::h:manufacturedMaterial or self::h:manufacturedLabeledDrug]"/>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="whole" select="$product/h:code | h:code[not($product)]"/><xsl:with-param name="label" select="$product/h:name | h:participant/h:participantRole/h:playingDevice/h:code/@displayName"/></xsl:call-template></xsl:variable>
    <xsl:variable name="text"><xsl:apply-templates select="h:text[1]" mode="text"/></xsl:variable>
    <xsl:variable name="courses" select="h:effectiveTime[not(h:period) and not(h:event)]"/>
    <xsl:variable name="inside" select="h:entryRelationship/*[self::h:act[not(h:templateId/@root = '2.16.840.1.113883.10.20.22.4.20' or h:code/@code = '48767-8')] or self::h:encounter or self::h:procedure or self::h:substanceAdministration or self::h:supply or self::h:observation[not(../@typeCode = 'RSON')]][translate(@moodCode, 'evn', 'EVN') != 'EVN']"/>
    <xsl:choose>
      <xsl:when test="@nullFlavor"><LeftOut model="CarePlan" reason="no_information"/></xsl:when>
      <xsl:when test="h:statusCode/@code = 'nullified'"><LeftOut model="CarePlan" reason="entered_in_error"/></xsl:when>
      <xsl:when test="@negationInd[. != ''][not(contains($no, concat('|', ., '|')))]"><LeftOut model="CarePlan" reason="negated"/></xsl:when>
      <xsl:when test="@moodCode = 'GOL'"><xsl:apply-templates select="." mode="Goal"/></xsl:when>
      <!-- An intervention holds what is to be done. -->
      <xsl:when test="$inside and (h:templateId[@root = '2.16.840.1.113883.10.20.22.4.131' or @root = '2.16.840.1.113883.10.20.22.4.146'] or h:code/@code = '362956003')"><xsl:apply-templates select="$inside" mode="CarePlan"/></xsl:when>
      <xsl:when test="not(exsl:node-set($named)/Field)"><LeftOut model="CarePlan" reason="no_code"/></xsl:when>
      <xsl:otherwise>
        <Model name="CarePlan">
          <xsl:call-template name="identity"/>
          <xsl:copy-of select="$named"/>
          <Field name="kind">
            <xsl:choose>
              <xsl:when test="self::h:encounter">visit</xsl:when>
              <xsl:when test="self::h:observation">examination</xsl:when>
              <xsl:when test="self::h:procedure">procedure</xsl:when>
              <xsl:when test="self::h:substanceAdministration[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.120']">vaccination</xsl:when>
              <xsl:when test="self::h:substanceAdministration">medicine</xsl:when>
              <xsl:when test="self::h:supply">supply</xsl:when>
              <xsl:when test="h:templateId/@root = '2.16.840.1.113883.10.20.22.4.20'">advice</xsl:when>
              <xsl:otherwise>procedure</xsl:otherwise>
            </xsl:choose>
          </Field>
          <Field name="intent_identifier"><xsl:value-of select="@moodCode"/></Field>
          <Field name="intent_title">
            <xsl:choose>
              <xsl:when test="@moodCode = 'RQO'">Order</xsl:when>
              <xsl:when test="@moodCode = 'PRP'">Proposal</xsl:when>
              <xsl:when test="@moodCode = 'APT'">Appointment</xsl:when>
              <xsl:when test="@moodCode = 'ARQ'">Request for an appointment</xsl:when>
              <xsl:when test="@moodCode = 'PRMS'">Promise</xsl:when>
              <xsl:otherwise>Plan</xsl:otherwise>
            </xsl:choose>
          </Field>
          <Field name="intent_system">http://terminology.hl7.org/CodeSystem/v3-ActMood</Field>
          <Field name="start"><xsl:call-template name="time"><xsl:with-param name="ts" select="($courses/@value | $courses/h:low/@value | $courses/h:center/@value)[. != ''][1]"/></xsl:call-template></Field>
          <Field name="end"><xsl:call-template name="time"><xsl:with-param name="ts" select="$courses/h:high/@value"/></xsl:call-template></Field>
          <Field name="provider">
            <xsl:for-each select="h:performer/h:assignedEntity"><xsl:if test="position() > 1">, </xsl:if><xsl:apply-templates select="(h:assignedPerson/h:name | h:representedOrganization/h:name)[1]" mode="words"/></xsl:for-each>
          </Field>
          <Field name="reason">
            <xsl:for-each select="h:entryRelationship[@typeCode = 'RSON']/h:observation/h:value"><xsl:if test="position() > 1">, </xsl:if><xsl:apply-templates select="." mode="words"/></xsl:for-each>
          </Field>
          <!-- How it is to be taken, or how often it is to be done. -->
          <Field name="dosage"><xsl:if test="self::h:substanceAdministration or h:effectiveTime[h:period or h:event or h:comp] or h:precondition"><xsl:call-template name="dosages"/></xsl:if></Field>
          <xsl:call-template name="status"/>
          <Field name="notes">
            <xsl:apply-templates select="." mode="comments"/>
            <xsl:if test="not(self::h:substanceAdministration)">
              <xsl:if test="normalize-space($text) and not(exsl:node-set($named)/Field = $text)"><xsl:value-of select="concat(' ', $text)"/></xsl:if>
              <xsl:for-each select="h:entryRelationship/h:act[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.20']"><xsl:text> </xsl:text><xsl:apply-templates select="h:text[1]" mode="text"/></xsl:for-each>
            </xsl:if>
            <xsl:variable name="sought"><xsl:for-each select="self::h:observation/h:value[not(@nullFlavor)]"><xsl:if test="position() > 1">; </xsl:if><xsl:apply-templates select="." mode="words"/></xsl:for-each></xsl:variable>
            <xsl:if test="normalize-space($sought) != ''"><xsl:value-of select="concat(' Value: ', normalize-space($sought), '.')"/></xsl:if>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Priority'"/><xsl:with-param name="whole" select="h:priorityCode[not(@code = 'R')]"/></xsl:call-template>
            <xsl:call-template name="site-and-method"/>
            <xsl:call-template name="observed-beside"><xsl:with-param name="known" select="h:entryRelationship[@typeCode = 'RSON']/h:observation | h:entryRelationship/h:observation[@moodCode = 'GOL']"/></xsl:call-template>
            <xsl:for-each select="h:quantity[@value]"><xsl:value-of select="concat(' Amount: ', @value, ' ', @unit, '.')"/></xsl:for-each>
          </Field>
        </Model>
        <xsl:if test="not(self::h:substanceAdministration)"><xsl:apply-templates select="$inside" mode="CarePlan"/></xsl:if>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ devices -->

  <xsl:template match="*" mode="Equipment"><LeftOut model="Equipment" reason="not_supported"/></xsl:template>

  <xsl:template match="h:organizer | h:act" mode="Equipment">
    <xsl:variable name="parts" select="(h:component | h:entryRelationship)/*[self::h:supply or self::h:procedure or self::h:organizer]"/>
    <xsl:apply-templates select="$parts" mode="Equipment"/>
    <xsl:if test="not($parts)"><LeftOut model="Equipment" reason="not_supported"/></xsl:if>
  </xsl:template>

  <xsl:template match="h:supply | h:procedure" mode="Equipment">
    <xsl:variable name="role" select="h:participant[@typeCode = 'PRD' or @typeCode = 'DEV']/h:participantRole"/>
    <!-- What kind of device it is says more than the name of its model. -->
    <xsl:variable name="model" select="$role/h:playingDevice/h:manufacturerModelName[normalize-space()]"/>
    <xsl:variable name="kind"><xsl:apply-templates select="$role/h:playingDevice/h:code/h:originalText[1]" mode="text"/></xsl:variable>
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="whole" select="($role/h:playingDevice | $role/h:playingEntity)/h:code"/><xsl:with-param name="label" select="$model[normalize-space($kind) = ''] | $role/h:playingEntity/h:name"/></xsl:call-template></xsl:variable>
    <xsl:variable name="name" select="exsl:node-set($named)/Field[@name = 'name_title']"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="absence"><xsl:call-template name="absence"><xsl:with-param name="name" select="exsl:node-set($named)/Field"/><xsl:with-param name="model" select="'Equipment'"/></xsl:call-template></xsl:variable>
    <xsl:choose>
      <xsl:when test="self::h:procedure"><xsl:apply-templates select="." mode="Procedure"/></xsl:when>
      <xsl:when test="$general != ''"><LeftOut model="Equipment" reason="{$general}"/></xsl:when>
      <xsl:when test="not($name)"><LeftOut model="Equipment" reason="no_code"/></xsl:when>
      <xsl:when test="$absence != ''"><LeftOut model="Equipment" reason="{$absence}"/></xsl:when>
      <xsl:otherwise>
        <!-- The time of a supply is when the device was handed over, at the latest; nothing says when its use ends. -->
        <xsl:variable name="delivered"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/h:high/@value"/></xsl:call-template></xsl:variable>
        <xsl:variable name="first"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
        <xsl:variable name="start" select="concat($first, substring($delivered, 1, 99 * ($first = '')))"/>
        <Model name="Equipment">
          <xsl:call-template name="identity"/>
          <Field name="date_started"><xsl:value-of select="substring($start, 1, 10)"/></Field>
          <Field name="name"><xsl:value-of select="$name"/></Field>
          <Field name="vendor"><xsl:value-of select="$role/h:scopingEntity/h:desc"/></Field>
          <Field name="description">
            <xsl:for-each select="$model[normalize-space() != normalize-space($name)]"><xsl:value-of select="concat(normalize-space(), ' ')"/></xsl:for-each>
            <xsl:value-of select="$role/h:id[not(@root = $udi)]/@extension"/>
            <xsl:if test="h:quantity/@value &gt; 1"><xsl:value-of select="concat(' Quantity: ', h:quantity/@value, '.')"/></xsl:if>
            <xsl:call-template name="site-and-method"/>
            <xsl:call-template name="reasons"/>
            <xsl:apply-templates select="." mode="comments"/>
            <xsl:call-template name="told"/>
            <xsl:if test="$first != '' and $delivered != ''"><xsl:value-of select="concat(' Delivered by ', substring($delivered, 1, 10), '.')"/></xsl:if>
            <xsl:call-template name="udi-words"><xsl:with-param name="role" select="$role"/></xsl:call-template>
          </Field>
          <xsl:call-template name="udi"><xsl:with-param name="role" select="$role"/></xsl:call-template>
          <xsl:if test="h:statusCode/@code != 'completed'"><xsl:call-template name="status"/></xsl:if>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A device that was put in: one with a unique device identifier, which is told from all others. -->
  <xsl:template match="h:participantRole" mode="Implant">
    <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'name'"/><xsl:with-param name="whole" select="h:playingDevice/h:code"/><xsl:with-param name="label" select="h:playingDevice/h:manufacturerModelName"/><xsl:with-param name="around" select="false()"/></xsl:call-template></xsl:variable>
    <xsl:variable name="name" select="exsl:node-set($named)/Field[@name = 'name_title']"/>
    <xsl:variable name="around" select="ancestor::*[self::h:procedure or self::h:act or self::h:observation][1]"/>
    <xsl:variable name="done-words"><xsl:for-each select="$around"><xsl:call-template name="named"><xsl:with-param name="field" select="'done'"/><xsl:with-param name="whole" select="h:code"/></xsl:call-template></xsl:for-each></xsl:variable>
    <xsl:variable name="done" select="normalize-space(exsl:node-set($done-words)/Field[@name = 'done_title'])"/>
    <xsl:variable name="spoken" select="translate($done, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')"/>
    <xsl:variable name="taken-out" select="$words/removal[contains($spoken, .)]"/>
    <xsl:if test="$name">
      <Model name="Equipment">
        <xsl:call-template name="identity"/>
        <Field name="name"><xsl:value-of select="$name"/></Field>
        <Field name="vendor"><xsl:value-of select="h:scopingEntity/h:desc"/></Field>
        <!-- What was taken out is not there any more, although nobody says the day. -->
        <xsl:if test="$taken-out">
          <xsl:variable name="day"><xsl:call-template name="time"><xsl:with-param name="ts" select="($around/h:effectiveTime/@value | $around/h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
          <Field name="date_stopped"><xsl:value-of select="substring($day, 1, 10)"/></Field>
          <xsl:call-template name="listed"><xsl:with-param name="field" select="'status'"/><xsl:with-param name="code" select="'completed'"/><xsl:with-param name="system" select="'http://hl7.org/fhir/device-statement-status'"/></xsl:call-template>
          <Field name="description"><xsl:value-of select="$done"/><xsl:call-template name="udi-words"><xsl:with-param name="role" select="."/></xsl:call-template></Field>
        </xsl:if>
        <xsl:if test="$done != '' and not($taken-out)"><Field name="description"><xsl:call-template name="udi-words"><xsl:with-param name="role" select="."/></xsl:call-template></Field></xsl:if>
        <xsl:if test="$done = ''">
          <xsl:variable name="day"><xsl:call-template name="time"><xsl:with-param name="ts" select="($around/h:effectiveTime/@value | $around/h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></xsl:variable>
          <Field name="description"><xsl:for-each select="$around"><xsl:call-template name="site-and-method"/></xsl:for-each><xsl:if test="$day != ''"><xsl:value-of select="concat(' Date: ', substring($day, 1, 10), '.')"/></xsl:if><xsl:call-template name="udi-words"><xsl:with-param name="role" select="."/></xsl:call-template></Field>
        </xsl:if>
        <xsl:call-template name="udi"><xsl:with-param name="role" select="."/></xsl:call-template>
      </Model>
    </xsl:if>
  </xsl:template>

  <!-- The unique device identifier whole, and its parts: as an organizer has them, else as they stand in it (GS1). -->
  <xsl:template name="udi">
    <xsl:param name="role"/>
    <xsl:variable name="whole" select="normalize-space($role/h:id[@root = $udi]/@extension)"/>
    <xsl:variable name="parts" select="$role/self::*/parent::*/parent::*[self::h:procedure or self::h:supply or self::h:act or self::h:observation]/h:entryRelationship/h:organizer[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.311'][h:id/@extension = $whole or count($role/../../h:participant/h:participantRole[h:playingDevice]) = 1]/h:component/h:observation"/>
    <Field name="udi"><xsl:value-of select="$whole"/></Field>
    <xsl:call-template name="udi-part"><xsl:with-param name="field" select="'deviceIdentifier'"/><xsl:with-param name="said" select="$parts[h:code/@code = 'C101722' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.304']"/><xsl:with-param name="whole" select="$whole"/><xsl:with-param name="mark" select="'(01)'"/></xsl:call-template>
    <xsl:call-template name="udi-part"><xsl:with-param name="field" select="'manufactured'"/><xsl:with-param name="said" select="$parts[h:code/@code = 'C101669' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.316']"/><xsl:with-param name="whole" select="$whole"/><xsl:with-param name="mark" select="'(11)'"/></xsl:call-template>
    <xsl:call-template name="udi-part"><xsl:with-param name="field" select="'expires'"/><xsl:with-param name="said" select="$parts[h:code/@code = 'C101670' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.309']"/><xsl:with-param name="whole" select="$whole"/><xsl:with-param name="mark" select="'(17)'"/></xsl:call-template>
    <xsl:call-template name="udi-part"><xsl:with-param name="field" select="'lotNumber'"/><xsl:with-param name="said" select="$parts[h:code/@code = 'C101672' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.315']"/><xsl:with-param name="whole" select="$whole"/><xsl:with-param name="mark" select="'(10)'"/></xsl:call-template>
    <xsl:call-template name="udi-part"><xsl:with-param name="field" select="'serialNumber'"/><xsl:with-param name="said" select="$parts[h:code/@code = 'C101671' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.319']"/><xsl:with-param name="whole" select="$whole"/><xsl:with-param name="mark" select="'(21)'"/></xsl:call-template>
    <xsl:call-template name="udi-part"><xsl:with-param name="field" select="'modelNumber'"/><xsl:with-param name="said" select="$parts[h:code/@code = 'C99285' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.317']"/></xsl:call-template>
    <xsl:call-template name="udi-part"><xsl:with-param name="field" select="'distinctIdentifier'"/><xsl:with-param name="said" select="$parts[h:code/@code = 'C113843' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.308']"/></xsl:call-template>
  </xsl:template>

  <!-- The other parts in words: the brand, the catalogue, whether it is safe in a scanner; and a part that the
       sender does not show, or a day that is none. -->
  <xsl:template name="udi-words">
    <xsl:param name="role"/>
    <xsl:if test="$role/h:id/@nullFlavor = 'MSK'"><xsl:value-of select="concat(' Device identifier: ', $words/absent[@flavor = 'MSK'], '.')"/></xsl:if>
    <xsl:for-each select="$role/../../h:entryRelationship/h:organizer[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.311'][h:id/@extension = normalize-space($role/h:id[@root = $udi]/@extension) or count($role/../../h:participant/h:participantRole[h:playingDevice]) = 1]/h:component/h:observation">
      <xsl:variable name="is-date" select="h:code[@code = 'C101669' or @code = 'C101670']"/>
      <xsl:variable name="day"><xsl:if test="$is-date"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:value/@value"/></xsl:call-template></xsl:if></xsl:variable>
      <xsl:variable name="known" select="h:code[not(../h:value/@nullFlavor)][@code = 'C101722' or @code = 'C101672' or @code = 'C101671' or @code = 'C99285' or @code = 'C113843']"/>
      <xsl:variable name="label"><xsl:value-of select="h:code/@displayName"/><xsl:if test="not(h:code/@displayName)"><xsl:value-of select="h:code/@code"/></xsl:if></xsl:variable>
      <xsl:variable name="said"><xsl:if test="not(h:value/@nullFlavor)"><xsl:apply-templates select="h:value[1]" mode="words"/><xsl:if test="$is-date"><xsl:value-of select="h:value/@value"/></xsl:if></xsl:if><xsl:value-of select="$words/absent[@flavor = 'MSK'][current()/h:value/@nullFlavor = 'MSK']"/></xsl:variable>
      <xsl:if test="not($known) and $day = '' and normalize-space($said) != ''"><xsl:value-of select="concat(' ', normalize-space($label), ': ', normalize-space($said), '.')"/></xsl:if>
    </xsl:for-each>
  </xsl:template>

  <xsl:template name="udi-part">
    <xsl:param name="field"/>
    <xsl:param name="said"/>
    <xsl:param name="whole" select="''"/>
    <xsl:param name="mark" select="''"/>
    <xsl:variable name="value" select="$said/h:value[not(@nullFlavor)]"/>
    <xsl:variable name="written" select="substring-before(concat(substring-after($whole, $mark), '('), '(')"/>
    <xsl:variable name="is-date" select="$field = 'manufactured' or $field = 'expires'"/>
    <Field name="{$field}">
      <xsl:choose>
        <xsl:when test="$value and $is-date">
          <xsl:variable name="day"><xsl:call-template name="time"><xsl:with-param name="ts" select="$value/@value"/></xsl:call-template></xsl:variable>
          <xsl:value-of select="substring($day, 1, 10)"/>
        </xsl:when>
        <xsl:when test="$value/@extension"><xsl:value-of select="$value/@extension"/></xsl:when>
        <xsl:when test="$value"><xsl:apply-templates select="$value[1]" mode="text"/></xsl:when>
        <!-- A day of this century, YYMMDD. The day 00 is the whole month. -->
        <xsl:when test="$is-date and string-length($written) = 6 and translate($written, $digits, '') = ''">
          <xsl:variable name="day"><xsl:call-template name="time"><xsl:with-param name="ts" select="concat('20', substring($written, 1, 4), substring($written, 5, 2 * (substring($written, 5) != '00')))"/></xsl:call-template></xsl:variable>
          <xsl:value-of select="substring($day, 1, 10)"/>
        </xsl:when>
        <xsl:when test="not($is-date) and $mark != ''"><xsl:value-of select="$written"/></xsl:when>
      </xsl:choose>
    </Field>
  </xsl:template>

  <!-- ============================================================ encounters -->

  <xsl:template match="*" mode="Encounter"><LeftOut model="Encounter" reason="not_supported"/></xsl:template>

  <xsl:template match="h:act | h:organizer" mode="Encounter">
    <xsl:variable name="parts" select="(h:entryRelationship | h:component)/h:encounter"/>
    <xsl:apply-templates select="$parts" mode="Encounter"/>
    <xsl:if test="not($parts)"><LeftOut model="Encounter" reason="not_supported"/></xsl:if>
  </xsl:template>

  <!-- An entry of the body, or the encounter of the header if the body does not have it. A kind on the list is
       written in the list's word; any other kind keeps its code and words. An encounter without a kind is an
       encounter, too. -->
  <xsl:template match="h:encounter | h:encompassingEncounter" mode="Encounter">
    <xsl:variable name="coded" select="h:code | h:code/h:translation"/>
    <xsl:variable name="billing" select="$coded[@codeSystem = $cpt]/@code"/>
    <xsl:variable name="by-class">
      <xsl:for-each select="$coded"><xsl:value-of select="concat($words/visit[@oid = current()/@codeSystem][@code = current()/@code]/@to, ' ')"/></xsl:for-each>
      <xsl:value-of select="$words/visits[@first &lt;= $billing and @last &gt;= $billing]/@to"/>
    </xsl:variable>
    <xsl:variable name="kind" select="substring-before(concat(normalize-space($by-class), ' '), ' ')"/>
    <xsl:variable name="not-begun"><xsl:call-template name="not-begun"/></xsl:variable>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="$not-begun != ''"><xsl:value-of select="$not-begun"/></xsl:when>
        <xsl:when test="self::h:encompassingEncounter and h:id[@root != ''][key('encounter-id', concat(@root, '|', @extension))]">repeated</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Encounter" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="place" select="(h:participant[@typeCode = 'LOC']/h:participantRole | h:location/h:healthCareFacility)[1]"/>
        <xsl:variable name="named"><xsl:call-template name="named"><xsl:with-param name="field" select="'encounterType'"/><xsl:with-param name="whole" select="h:code"/></xsl:call-template></xsl:variable>
        <Model name="Encounter" label="{generate-id()}">
          <xsl:call-template name="identity"/>
          <xsl:call-template name="own-number"/>
          <Field name="startDate"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[. != ''][1]"/></xsl:call-template></Field>
          <Field name="endDate"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/h:high/@value"/></xsl:call-template></Field>
          <xsl:choose>
            <xsl:when test="$kind != ''">
              <xsl:call-template name="listed">
                <xsl:with-param name="field" select="'encounterType'"/>
                <xsl:with-param name="code" select="$kind"/>
                <xsl:with-param name="system" select="concat($list-uri, 'EncounterType#')"/>
              </xsl:call-template>
            </xsl:when>
            <xsl:when test="exsl:node-set($named)/Field"><xsl:copy-of select="$named"/></xsl:when>
            <xsl:otherwise><Field name="encounterType_title">Encounter</Field></xsl:otherwise>
          </xsl:choose>
          <xsl:call-template name="status"/>
          <Field name="reason">
            <xsl:for-each select="h:entryRelationship[@typeCode = 'RSON']/h:observation[not(@negationInd[contains($yes, concat('|', ., '|'))])]/h:value"><xsl:if test="position() > 1">; </xsl:if><xsl:apply-templates select="." mode="words"/></xsl:for-each>
          </Field>
          <Field name="notes">
            <xsl:apply-templates select="." mode="comments"/><xsl:call-template name="own-words"><xsl:with-param name="name" select="exsl:node-set($named)/Field"/></xsl:call-template>
            <!-- The kind of the list says less than the words of the source. -->
            <xsl:if test="$kind != ''">
              <xsl:variable name="said" select="normalize-space(exsl:node-set($named)/Field[@name = 'encounterType_title'])"/>
              <xsl:if test="$said != '' and not(h:code/@code = $said)"><xsl:value-of select="concat(' Type: ', $said, '.')"/></xsl:if>
            </xsl:if>
            <xsl:call-template name="said-of"><xsl:with-param name="label" select="'Priority'"/><xsl:with-param name="whole" select="h:priorityCode"/></xsl:call-template>
            <xsl:call-template name="others"/>
            <xsl:call-template name="observed-beside"><xsl:with-param name="known" select="h:entryRelationship[@typeCode = 'RSON']/h:observation"/></xsl:call-template>
          </Field>
          <xsl:call-template name="named"><xsl:with-param name="field" select="'disposition'"/><xsl:with-param name="whole" select="(*[local-name() = 'dischargeDispositionCode'])[1]"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
          <Field name="facility_name"><xsl:value-of select="($place/h:playingEntity/h:name | $place/h:location/h:name)[1]"/></Field>
          <xsl:apply-templates select="($place/h:addr | $place/h:location/h:addr)[1]"><xsl:with-param name="field" select="'facility_adr'"/></xsl:apply-templates>
          <Field name="facility_npi"><xsl:value-of select="$place/h:id[@root = '2.16.840.1.113883.4.6']/@extension"/></Field>
          <Field name="facility_phone"><xsl:value-of select="substring-after($place/h:telecom[starts-with(@value, 'tel:')][1]/@value, 'tel:')"/></Field>
          <xsl:variable name="seen" select="(h:performer | h:responsibleParty | h:encounterParticipant)[h:assignedEntity][1]"/>
          <xsl:apply-templates select="$seen/h:assignedEntity" mode="provider"/>
          <Field name="provider_from"><xsl:call-template name="time"><xsl:with-param name="ts" select="($seen/h:time/@value | $seen/h:time/h:low/@value)[. != ''][1]"/></xsl:call-template></Field>
          <Field name="provider_until"><xsl:call-template name="time"><xsl:with-param name="ts" select="$seen/h:time/h:high/@value"/></xsl:call-template></Field>
          <xsl:if test="$seen/@typeCode"><Field name="provider_part"><xsl:value-of select="$seen/@typeCode"/></Field></xsl:if>
          <xsl:for-each select="$seen/h:assignedEntity">
            <xsl:call-template name="role"><xsl:with-param name="field" select="'provider_role'"/></xsl:call-template>
          </xsl:for-each>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
    <!-- Encounter diagnoses are problems; those that the problem list has, too, are recognized as repeated. -->
    <xsl:apply-templates select="h:entryRelationship/h:act[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.80' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.33'
                                  or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.34' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.3']" mode="Problem"/>
  </xsl:template>

  <!-- ============================================================ codes -->

  <!-- The three columns of a coded value: a code of the preferred system, else the first code of any system, else words
       alone. The words are the name of the code, else the names around it, else the text to which it or (`around`) the
       statement points, else the code. -->
  <xsl:template name="named">
    <xsl:param name="field"/>
    <xsl:param name="whole"/>
    <xsl:param name="prefer" select="'none'"/>
    <xsl:param name="or" select="$prefer"/>
    <xsl:param name="label" select="/.."/>
    <xsl:param name="around" select="true()"/>
    <xsl:param name="only" select="false()"/>
    <xsl:if test="$whole or $label or ($around and h:text)">
      <!-- A null flavor in the place of a code is no code. -->
      <xsl:variable name="coded" select="($whole | $whole[not($only)]/h:translation)[@code != ''][@code != 'UNK'][not(@codeSystem = '2.16.840.1.113883.5.1008')]"/>
      <xsl:variable name="preferred" select="$coded[@codeSystem = $prefer or @codeSystem = $or]"/>
      <!-- A variable in a predicate would copy all its nodes for each node. -->
      <xsl:variable name="any" select="not($preferred)"/>
      <xsl:variable name="code" select="($preferred | $coded[$any])[1]"/>
      <xsl:variable name="known"><xsl:for-each select="$words"><xsl:value-of select="key('term', $code/@code)/@title"/></xsl:for-each></xsl:variable>
      <xsl:variable name="title">
        <xsl:choose>
          <xsl:when test="not($around) and not($only) and $known != ''"><xsl:value-of select="$known"/></xsl:when>
          <xsl:when test="normalize-space($code/@displayName)"><xsl:value-of select="$code/@displayName"/></xsl:when>
          <xsl:when test="normalize-space($whole/@displayName)"><xsl:value-of select="$whole[normalize-space(@displayName)][1]/@displayName"/></xsl:when>
          <xsl:otherwise>
            <xsl:variable name="original"><xsl:apply-templates select="($whole/h:originalText | $code/../h:originalText)[1]" mode="text"/></xsl:variable>
            <xsl:variable name="text"><xsl:if test="$around"><xsl:apply-templates select="h:text[1]" mode="text"/></xsl:if></xsl:variable>
            <xsl:choose>
              <xsl:when test="normalize-space($label[normalize-space()][1])"><xsl:value-of select="$label[normalize-space()][1]"/></xsl:when>
              <xsl:when test="normalize-space($original)"><xsl:value-of select="$original"/></xsl:when>
              <xsl:when test="$coded[normalize-space(@displayName)]"><xsl:value-of select="$coded[normalize-space(@displayName)][1]/@displayName"/></xsl:when>
              <xsl:when test="$whole/h:translation/h:originalText"><xsl:apply-templates select="$whole/h:translation/h:originalText[1]" mode="text"/></xsl:when>
              <xsl:when test="$whole[not(*)][normalize-space()]"><xsl:value-of select="$whole[not(*)][normalize-space()][1]"/></xsl:when>
              <xsl:when test="$whole[@nullFlavor = 'OTH' or not(@nullFlavor)][@value]"><xsl:value-of select="$whole/@value"/></xsl:when>
              <xsl:when test="$known != ''"><xsl:value-of select="$known"/></xsl:when>
              <xsl:when test="$code and not(normalize-space($text))"><xsl:value-of select="$code/@code"/></xsl:when>
              <xsl:otherwise><xsl:value-of select="$text"/></xsl:otherwise>
            </xsl:choose>
          </xsl:otherwise>
        </xsl:choose>
      </xsl:variable>
      <xsl:if test="normalize-space($title)">
        <xsl:if test="$code">
          <xsl:variable name="uri" select="substring-before(substring-after($systems, concat('|', $code/@codeSystem, '=')), '|')"/>
          <xsl:variable name="own" select="generate-id($code)"/>
          <Field name="{$field}_identifier">
            <xsl:if test="$coded[2]">
              <xsl:attribute name="also">
                <xsl:for-each select="$coded[position() &lt;= 10]">
                  <xsl:variable name="its" select="substring-before(substring-after($systems, concat('|', @codeSystem, '=')), '|')"/>
                  <xsl:variable name="oid" select="$its = '' and @codeSystem != '' and translate(@codeSystem, concat($digits, '.'), '') = ''"/>
                  <xsl:if test="generate-id() != $own"><xsl:call-template name="also"><xsl:with-param name="system" select="concat($its, substring(concat('urn:oid:', @codeSystem), 1, 256 * $oid))"/><xsl:with-param name="code" select="@code"/></xsl:call-template></xsl:if>
                </xsl:for-each>
              </xsl:attribute>
            </xsl:if>
            <!-- CVX codes have two digits at least -->
            <xsl:if test="($code/@codeSystem = $cvx or $code/@codeSystem = $cvx-old) and string-length($code/@code) = 1">0</xsl:if>
            <xsl:value-of select="substring($code/@code, 1, 300)"/>
          </Field>
          <xsl:if test="$code/@codeSystem != ''">
            <Field name="{$field}_system">
              <xsl:value-of select="$uri"/>
              <xsl:if test="$uri = '' and translate($code/@codeSystem, concat($digits, '.'), '') = ''"><xsl:value-of select="concat('urn:oid:', substring($code/@codeSystem, 1, 300))"/></xsl:if>
            </Field>
          </xsl:if>
        </xsl:if>
        <Field name="{$field}_title"><xsl:value-of select="substring(normalize-space($title), 1, 300)"/></Field>
      </xsl:if>
    </xsl:if>
  </xsl:template>

  <!-- Dates far from any life, and days that do not exist, such as 30 February: they are told as they are written. -->
  <xsl:template name="odd-days">
    <xsl:param name="values"/>
    <xsl:variable name="impossible">
      <xsl:for-each select="$values[substring(., 1, 4) &gt;= 1800 and substring(., 1, 4) &lt;= 2199]">
        <xsl:variable name="time"><xsl:call-template name="time"><xsl:with-param name="ts" select="."/></xsl:call-template></xsl:variable>
        <xsl:if test="$time = ''"><xsl:value-of select="concat('|', ., '|')"/></xsl:if>
      </xsl:for-each>
    </xsl:variable>
    <xsl:call-template name="odd-dates">
      <xsl:with-param name="values" select="$values"/>
      <xsl:with-param name="impossible" select="string($impossible)"/>
    </xsl:call-template>
  </xsl:template>

  <!-- The same instance may be in several sections. It is repeated only if its id and its whole content are the
       same. -->
  <xsl:template name="identity">
    <xsl:if test="$has-odd-dates"><xsl:call-template name="odd-days"><xsl:with-param name="values" select="(h:effectiveTime | h:effectiveTime/h:low | h:effectiveTime/h:high | h:time | h:value[substring-after(concat(':', @xsi:type), ':') = 'TS'])/@value"/></xsl:call-template></xsl:if>
    <xsl:variable name="id" select="h:id[@root != ''][1]"/>
    <xsl:if test="$id">
      <xsl:variable name="key" select="concat($id/@root, '|', $id/@extension)"/>
      <xsl:variable name="first" select="generate-id((key('instance', $key))[1])"/>
      <xsl:attribute name="id"><xsl:value-of select="$first"/></xsl:attribute>
      <xsl:if test="$first = generate-id($id)"><xsl:attribute name="statement"><xsl:value-of select="$key"/></xsl:attribute></xsl:if>
      <xsl:call-template name="sent"/>
    </xsl:if>
  </xsl:template>

  <!-- The sender's id, by which the statement is known in its other documents. -->
  <xsl:template name="sent">
    <xsl:variable name="full" select="h:id[@root != ''][@extension != ''][not(@nullFlavor)][1]"/>
    <xsl:for-each select="$full | h:id[@root != ''][not(@nullFlavor)][not($full)][1]">
      <xsl:attribute name="sent-in"><xsl:value-of select="@root"/></xsl:attribute>
      <xsl:attribute name="sent-as"><xsl:value-of select="@extension"/></xsl:attribute>
    </xsl:for-each>
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

  <!-- ============================================================ texts, times, people -->

  <!-- The element's own words, else those of the narrative to which its reference points (cells of a row are kept
       apart). -->
  <xsl:template match="*" mode="text">
    <xsl:choose>
      <xsl:when test="@representation = 'B64'"/>
      <xsl:when test="normalize-space()"><xsl:value-of select="normalize-space()"/></xsl:when>
      <xsl:when test="h:reference">
        <xsl:variable name="reference" select="string(h:reference[1]/@value)"/>
        <xsl:variable name="target" select="substring-after($reference, '#')"/>
        <xsl:if test="not(key('long', $target)) or count(key('quotes', $reference)) &lt;= 20 or generate-id((key('quotes', $reference))[1]) = generate-id(h:reference[1])">
          <xsl:for-each select="(key('narrative', $target))[1]//text()[normalize-space()][not(ancestor::h:content/@revised = 'delete')]">
            <!-- 10 to the power of 9 is neither 109 nor 10 9. -->
            <xsl:if test="position() > 1 and not(parent::h:sup or parent::h:sub)"><xsl:text> </xsl:text></xsl:if>
            <xsl:choose>
              <xsl:when test="parent::h:sup"><xsl:value-of select="translate(normalize-space(), '0123456789+-', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻')"/></xsl:when>
              <xsl:when test="parent::h:sub"><xsl:value-of select="translate(normalize-space(), '0123456789+-', '₀₁₂₃₄₅₆₇₈₉₊₋')"/></xsl:when>
              <xsl:otherwise><xsl:value-of select="normalize-space()"/></xsl:otherwise>
            </xsl:choose>
          </xsl:for-each>
        </xsl:if>
      </xsl:when>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="*" mode="comments">
    <xsl:for-each select="(h:entryRelationship | h:component)/h:act[h:code/@code = '48767-8']/h:text">
      <xsl:if test="position() > 1"><xsl:text> </xsl:text></xsl:if>
      <xsl:apply-templates select="." mode="text"/>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="h:name" mode="words">
    <xsl:for-each select=".//text()[normalize-space()]">
      <xsl:if test="position() > 1"><xsl:text> </xsl:text></xsl:if>
      <xsl:value-of select="normalize-space()"/>
    </xsl:for-each>
  </xsl:template>

  <!-- 20190516123456.789-0500 to 2019-05-16T12:34:56.789-05:00. A year or a month stays one; an odd last digit is
       dropped; a date alone stays a date. A time without a zone stays without one (it is read as UTC); with an invalid
       zone, only the day is kept. Years outside 1800 to 2199, such as 0001 or 9999, are placeholders and give no date;
       neither does a text that is no time at all. -->
  <xsl:template name="time">
    <xsl:param name="ts"/>
    <!-- Whether midnight is a time, which only tells documents of one day apart. -->
    <xsl:param name="exact" select="false()"/>
    <!-- Some senders write 2010-01-01T10:15:00-05:00. -->
    <xsl:variable name="raw" select="normalize-space($ts)"/>
    <xsl:variable name="iso" select="substring($raw, 5, 1) = '-' and substring($raw, 8, 1) = '-' and translate(substring($raw, 11, 1), 'T ', '') = ''"/>
    <xsl:variable name="stamp" select="concat(translate(substring($raw, 1, 10 * $iso), '-', ''), translate(substring($raw, 1 + 11 * $iso), ':Z', ''), substring('+0000', 1, 5 * ($iso and contains($raw, 'Z'))))"/>
    <xsl:variable name="flat" select="concat(translate($stamp, '+', '-'), '-')"/>
    <xsl:variable name="clock" select="substring-before($flat, '-')"/>
    <xsl:variable name="zone" select="substring-before(substring-after($flat, '-'), '-')"/>
    <xsl:variable name="whole" select="substring-before(concat($clock, '.'), '.')"/>
    <xsl:variable name="fraction" select="substring(substring-after($clock, '.'), 1, 6)"/>
    <xsl:variable name="length" select="string-length($whole) - string-length($whole) mod 2"/>
    <xsl:variable name="day" select="concat(substring($whole, 1, $length * ($length &lt; 8) + 8 * ($length &gt;= 8)), substring('00000101', $length + 1))"/>
    <xsl:variable name="hour" select="concat(substring($whole, 9, $length - 8), substring('000000', $length - 7))"/>
    <xsl:variable name="y" select="number(substring($day, 1, 4))"/>
    <xsl:variable name="m" select="number(substring($day, 5, 2))"/>
    <xsl:variable name="d" select="number(substring($day, 7, 2))"/>
    <xsl:variable name="leap" select="number(($y mod 4 = 0 and $y mod 100 != 0) or $y mod 400 = 0)"/>
    <xsl:variable name="days" select="30 + ($m + floor($m div 8)) mod 2 - number($m = 2) * (2 - $leap)"/>
    <xsl:if test="$length &gt;= 4 and $length &lt;= 14 and translate(concat($whole, $fraction, $zone), $digits, '') = ''
              and $y &gt;= 1800 and $y &lt;= 2199 and $m &gt;= 1 and $m &lt;= 12 and $d &gt;= 1 and $d &lt;= $days">
      <xsl:variable name="date" select="concat(substring($day, 1, 4), '-', substring($day, 5, 2), '-', substring($day, 7, 2))"/>
      <xsl:value-of select="substring($date, 1, 10 - 6 * ($length = 4) - 3 * ($length = 6))"/>
      <xsl:variable name="offset" select="(string-length($zone) = 4 or string-length($zone) = 2) and substring($zone, 1, 2) &lt; 14 and not(substring($zone, 3, 2) &gt; 59)"/>
      <!-- Midnight on the sender's clock is how many write a day. In UTC it could be the day before. -->
      <xsl:variable name="midnight" select="$offset and $hour = '000000' and translate($fraction, '0', '') = '' and not($exact)"/>
      <xsl:if test="$length &gt; 8 and substring($hour, 1, 2) &lt; 24 and substring($hour, 3, 2) &lt; 60 and substring($hour, 5, 2) &lt; 60 and ($offset or $zone = '') and not($midnight)">
        <xsl:value-of select="concat('T', substring($hour, 1, 2), ':', substring($hour, 3, 2), ':', substring($hour, 5, 2))"/>
        <xsl:if test="$fraction != '' and $length = 14"><xsl:value-of select="concat('.', $fraction)"/></xsl:if>
        <xsl:if test="$offset">
          <xsl:value-of select="concat(substring('+-', 1 + not(contains($stamp, '+')), 1), substring($zone, 1, 2), ':', substring(concat($zone, '00'), 3, 2))"/>
        </xsl:if>
      </xsl:if>
    </xsl:if>
  </xsl:template>

  <xsl:template match="h:addr">
    <xsl:param name="field"/>
    <Field name="{$field}_country"><xsl:value-of select="h:country"/></Field>
    <Field name="{$field}_city"><xsl:value-of select="h:city"/></Field>
    <Field name="{$field}_postalcode"><xsl:value-of select="h:postalCode"/></Field>
    <Field name="{$field}_region"><xsl:value-of select="h:state"/></Field>
    <Field name="{$field}_street">
      <xsl:for-each select="h:streetAddressLine[normalize-space()]">
        <xsl:if test="position() > 1">, </xsl:if>
        <xsl:value-of select="normalize-space()"/>
      </xsl:for-each>
    </Field>
  </xsl:template>

  <!-- For whom somebody acts, and in which field: assignedEntity or assignedAuthor to these columns. -->
  <xsl:template name="role">
    <xsl:param name="field"/>
    <xsl:variable name="house" select="h:representedOrganization[not(@nullFlavor)][normalize-space(h:name)]"/>
    <xsl:call-template name="named"><xsl:with-param name="field" select="concat($field, '_specialty')"/><xsl:with-param name="whole" select="h:code"/><xsl:with-param name="around" select="false()"/></xsl:call-template>
    <Field name="{$field}_organization"><xsl:value-of select="$house/h:name"/></Field>
    <Field name="{$field}_organization_npi"><xsl:value-of select="$house/h:id[@root = '2.16.840.1.113883.4.6']/@extension"/></Field>
    <Field name="{$field}_organization_phone"><xsl:value-of select="substring-after($house/h:telecom[starts-with(@value, 'tel:')][1]/@value, 'tel:')"/></Field>
  </xsl:template>

  <!-- Who prescribed something: the author of what was ordered. -->
  <xsl:template name="prescriber">
    <xsl:variable name="own" select="h:author/h:assignedAuthor[h:assignedPerson/h:name[normalize-space()]]"/>
    <xsl:for-each select="($own | h:entryRelationship[not($own)]/h:supply[@moodCode = 'INT' or @moodCode = 'RQO']/h:author/h:assignedAuthor[h:assignedPerson/h:name[normalize-space()]])[1]">
      <xsl:variable name="columns"><xsl:apply-templates select="." mode="provider"/></xsl:variable>
      <xsl:for-each select="exsl:node-set($columns)/Field[starts-with(@name, 'provider_name_') or @name = 'provider_npi_number']"><Field name="prescriber_{substring-after(@name, 'provider_')}"><xsl:value-of select="."/></Field></xsl:for-each>
      <Field name="prescriber_phone"><xsl:value-of select="substring-after(h:telecom[starts-with(@value, 'tel:')][1]/@value, 'tel:')"/></Field>
      <xsl:call-template name="role"><xsl:with-param name="field" select="'prescriber'"/></xsl:call-template>
    </xsl:for-each>
  </xsl:template>

  <!-- assignedEntity or assignedAuthor to the provider columns. -->
  <xsl:template match="*" mode="provider">
    <xsl:variable name="name" select="h:assignedPerson/h:name[1]"/>
    <Field name="provider_npi_number"><xsl:value-of select="h:id[@root = '2.16.840.1.113883.4.6']/@extension"/></Field>
    <Field name="provider_dea_number"><xsl:value-of select="h:id[@root = '2.16.840.1.113883.4.814']/@extension"/></Field>
    <xsl:choose>
      <xsl:when test="$name/h:family or $name/h:given">
        <Field name="provider_name_family"><xsl:value-of select="$name/h:family"/></Field>
        <Field name="provider_name_given"><xsl:value-of select="$name/h:given[1]"/></Field>
        <Field name="provider_name_middle"><xsl:value-of select="$name/h:given[2]"/></Field>
        <Field name="provider_name_prefix"><xsl:value-of select="$name/h:prefix"/></Field>
        <Field name="provider_name_suffix"><xsl:value-of select="$name/h:suffix"/></Field>
      </xsl:when>
      <xsl:otherwise><Field name="provider_name_family"><xsl:apply-templates select="$name" mode="words"/></Field></xsl:otherwise>
    </xsl:choose>
    <xsl:apply-templates select="h:addr[1]"><xsl:with-param name="field" select="'provider_adr'"/></xsl:apply-templates>
    <xsl:for-each select="h:telecom[starts-with(@value, 'tel:') or starts-with(@value, '+')][position() &lt;= 2]">
      <xsl:variable name="number" select="concat(substring-after(@value, 'tel:'), substring(@value, 1, string-length(@value) * starts-with(@value, '+')))"/>
      <xsl:variable name="type" select="concat(substring('h', 1, contains(concat(' ', @use), ' H')), substring('w', 1, contains(@use, 'WP')), substring('c', 1, contains(@use, 'MC')))"/>
      <Field name="provider_tel_{position()}_number"><xsl:value-of select="substring-before(concat($number, ';'), ';')"/></Field>
      <Field name="provider_tel_{position()}_type"><xsl:value-of select="substring($type, 1, 1)"/></Field>
    </xsl:for-each>
    <xsl:variable name="mail" select="substring-after(h:telecom[starts-with(@value, 'mailto:')]/@value, 'mailto:')"/>
    <xsl:if test="translate($mail, ' ', '') = $mail and substring-before($mail, '@') != '' and substring-after($mail, '@') != '' and not(contains(substring-after($mail, '@'), '@'))">
      <Field name="provider_email"><xsl:value-of select="$mail"/></Field>
    </xsl:if>
  </xsl:template>
</xsl:stylesheet>
