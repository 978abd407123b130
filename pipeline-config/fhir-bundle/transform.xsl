<?xml version="1.0" encoding="UTF-8"?>
<!--
  FHIR R4 Bundle to facts. Three steps:
    1. every resource becomes drafts: a Model, a Reading (one vital sign) or a LeftOut with its reason;
    2. readings of one time and encounter are gathered into one VitalSigns, which takes its Encounter in; repeated drafts are set aside;
    3. fields are trimmed, cut to the length of their column and left away when empty; LeftOut is counted.
  What maps to what is in the tables below; README.md says it in words.
-->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:f="http://hl7.org/fhir" xmlns:exsl="http://exslt.org/common" xmlns:set="http://exslt.org/sets" exclude-result-prefixes="f exsl set">
  <xsl:output method="xml" encoding="UTF-8"/>

  <!-- A resource by its full URL, by type and id, and a contained one by the resource around it. A sender may give thousands of resources
       one id, and each look-up yields them all: so take (key(...))[1], which looks at none of the others, and filter afterwards. -->
  <xsl:key name="resource" match="f:Bundle/f:entry/f:resource/*" use="../../f:fullUrl/@value"/>
  <xsl:key name="resource" match="f:Bundle/f:entry/f:resource/*" use="concat(local-name(), '/', f:id/@value)"/>
  <xsl:key name="resource" match="f:contained/*" use="concat(generate-id(../..), '#', f:id/@value)"/>
  <xsl:key name="dispense-of" match="f:Bundle/f:entry/f:resource/f:MedicationDispense" use="f:authorizingPrescription/f:reference/@value"/>
  <!-- Over the drafts. What is one fact has one value in the attribute `same`. -->
  <xsl:key name="same" match="Model" use="@same"/>
  <xsl:key name="group" match="Reading" use="@same"/>
  <xsl:key name="taken-in" match="Reading[@encounter]" use="@encounter"/>
  <xsl:key name="visit" match="Model[@name = 'Encounter']" use="@visit"/>
  <xsl:key name="left-out" match="LeftOut" use="@what"/>

  <xsl:variable name="tables" select="exsl:node-set($table-rows)"/>
  <!-- Those asked most. -->
  <xsl:variable name="columns" select="$tables/column"/>
  <xsl:variable name="terms" select="$tables/term"/>
  <xsl:variable name="vitals" select="$tables/vital"/>
  <xsl:variable name="units" select="$tables/unit"/>
  <!-- Names of the code systems in documents (sets), and what the models call them. -->
  <xsl:variable name="snomed" select="$tables/name[@of = 'snomed']/@uri"/>
  <xsl:variable name="rxnorm" select="$tables/name[@of = 'rxnorm']/@uri"/>
  <xsl:variable name="loinc" select="$tables/name[@of = 'loinc']/@uri"/>
  <xsl:variable name="cvx" select="$tables/name[@of = 'cvx']/@uri"/>
  <xsl:variable name="ndfrt" select="$tables/name[@of = 'ndfrt']/@uri"/>
  <xsl:variable name="unii" select="$tables/name[@of = 'unii']/@uri"/>
  <xsl:variable name="cpt" select="$tables/name[@of = 'cpt']/@uri"/>
  <xsl:variable name="snomed-uri" select="'http://purl.bioontology.org/ontology/SNOMEDCT/'"/>
  <xsl:variable name="rxnorm-uri" select="'http://purl.bioontology.org/ontology/RXNORM/'"/>
  <xsl:variable name="loinc-uri" select="'http://purl.bioontology.org/ontology/LNC/'"/>
  <xsl:variable name="ndfrt-uri" select="'http://purl.bioontology.org/ontology/NDFRT/'"/>
  <xsl:variable name="unii-uri" select="'http://fda.gov/UNII/'"/>
  <xsl:variable name="cvx-uri" select="'http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#'"/>
  <xsl:variable name="list-uri" select="'http://smartplatforms.org/terms/codes/'"/>
  <xsl:variable name="digits" select="'0123456789'"/>

  <xsl:variable name="table-rows">
    <name of="snomed" uri="http://snomed.info/sct"/>
    <name of="snomed" uri="urn:oid:2.16.840.1.113883.6.96"/>
    <name of="rxnorm" uri="http://www.nlm.nih.gov/research/umls/rxnorm"/>
    <name of="rxnorm" uri="urn:oid:2.16.840.1.113883.6.88"/>
    <name of="loinc" uri="http://loinc.org"/>
    <name of="loinc" uri="urn:oid:2.16.840.1.113883.6.1"/>
    <name of="cvx" uri="http://hl7.org/fhir/sid/cvx"/>
    <name of="cvx" uri="urn:oid:2.16.840.1.113883.12.292"/>
    <name of="ndfrt" uri="http://hl7.org/fhir/ndfrt"/>
    <name of="ndfrt" uri="urn:oid:2.16.840.1.113883.3.26.1.5"/>
    <name of="unii" uri="http://fdasis.nlm.nih.gov"/>
    <name of="unii" uri="urn:oid:2.16.840.1.113883.4.9"/>
    <name of="cpt" uri="http://www.ama-assn.org/go/cpt"/>
    <name of="cpt" uri="urn:oid:2.16.840.1.113883.6.12"/>
    <name of="act-code" uri="http://terminology.hl7.org/CodeSystem/v3-ActCode"/>
    <name of="act-code" uri="urn:oid:2.16.840.1.113883.5.4"/>

    <!-- Resources that others point at: read where they are pointed at, never left out. -->
    <support name="Patient"/>
    <support name="RelatedPerson"/>
    <support name="Practitioner"/>
    <support name="PractitionerRole"/>
    <support name="Organization"/>
    <support name="Location"/>
    <support name="Medication"/>
    <support name="Specimen"/>

    <!-- Words of the models' vocabularies. -->
    <term code="416098002" title="Drug allergy"/>
    <term code="414285001" title="Food allergy"/>
    <term code="426232007" title="Environmental allergy"/>
    <term code="59037007" title="Drug intolerance"/>
    <term code="235719002" title="Food intolerance"/>
    <term code="255604002" title="Mild"/>
    <term code="6736007" title="Moderate"/>
    <term code="24484000" title="Severe"/>
    <term code="442452003" title="Life threatening"/>
    <term code="399166001" title="Fatal"/>
    <term code="160244002" title="No known allergies"/>
    <term code="409137002" title="No known history of drug allergy"/>
    <term code="429625007" title="No known food allergy"/>
    <term code="428607008" title="No known environmental allergy"/>
    <term code="33586001" title="Sitting"/>
    <term code="10904000" title="Standing"/>
    <term code="40199007" title="Supine"/>
    <term code="368208006" title="Left arm"/>
    <term code="368209003" title="Right arm"/>
    <term code="61396006" title="Left thigh"/>
    <term code="11207009" title="Right thigh"/>
    <term code="auscultation" title="Auscultation"/>
    <term code="palpation" title="Palpation"/>
    <term code="invasive" title="Invasive"/>
    <term code="ambulatory" title="Ambulatory encounter"/>
    <term code="emergency" title="Emergency encounter"/>
    <term code="inpatient" title="Inpatient encounter"/>
    <term code="home" title="Home encounter"/>
    <term code="field" title="Field encounter"/>
    <term code="virtual" title="Virtual encounter"/>
    <term code="normal" title="Normal"/>
    <term code="abnormal" title="Abnormal"/>
    <term code="critical" title="Critical"/>
    <term code="preliminary" title="Preliminary"/>
    <term code="final" title="Final"/>
    <term code="prescription" title="Prescription"/>
    <term code="doseGiven" title="Dose given"/>
    <term code="notAdministered" title="Not administered"/>
    <term code="documentedImmunityOrPreviousDisease" title="Documented immunity or previous disease"/>
    <term code="contraindicated" title="Contraindicated"/>
    <term code="vaccineUnavailable" title="Vaccine unavailable"/>
    <term code="patientOrParentRefused" title="Patient or parent refused"/>
    <term code="correction" title="Correction"/>
    <term code="partialDose" title="Partial dose"/>
    <term code="fulfillment" title="Fulfillment"/>
    <term code="patientReport" title="Patient report"/>

    <!-- Category and type of an AllergyIntolerance; one without a type counts as an allergy. -->
    <category of="medication" type="allergy" to="416098002"/>
    <category of="medication" type="intolerance" to="59037007"/>
    <category of="biologic" type="allergy" to="416098002"/>
    <category of="biologic" type="intolerance" to="59037007"/>
    <category of="food" type="allergy" to="414285001"/>
    <category of="food" type="intolerance" to="235719002"/>
    <category of="environment" type="allergy" to="426232007"/>
    <exclusion from="160244002" to="160244002"/>
    <exclusion from="716186003" to="160244002"/>
    <exclusion from="409137002" to="409137002"/>
    <exclusion from="429625007" to="429625007"/>
    <exclusion from="428607008" to="428607008"/>
    <severity from="mild" to="255604002"/>
    <severity from="moderate" to="6736007"/>
    <severity from="severe" to="24484000"/>

    <!-- ActReason to the model's reasons for not giving a vaccine. -->
    <refusal from="IMMUNE" to="documentedImmunityOrPreviousDisease"/>
    <refusal from="MEDPREC" to="contraindicated"/>
    <refusal from="OSTOCK" to="vaccineUnavailable"/>
    <refusal from="PATOBJ" to="patientOrParentRefused"/>
    <refusal from="PHILISOP" to="patientOrParentRefused"/>
    <refusal from="RELIG" to="patientOrParentRefused"/>
    <refusal from="VACEFF" to="patientOrParentRefused"/>
    <refusal from="VACSAF" to="patientOrParentRefused"/>

    <!-- ObservationInterpretation; with several the gravest counts. -->
    <interpretation from="N" to="normal"/>
    <interpretation from="A" to="abnormal"/>
    <interpretation from="H" to="abnormal"/>
    <interpretation from="L" to="abnormal"/>
    <interpretation from="HU" to="abnormal"/>
    <interpretation from="LU" to="abnormal"/>
    <interpretation from="&gt;" to="abnormal"/>
    <interpretation from="&lt;" to="abnormal"/>
    <interpretation from="HX" to="abnormal"/>
    <interpretation from="LX" to="abnormal"/>
    <interpretation from="AA" to="critical"/>
    <interpretation from="HH" to="critical"/>
    <interpretation from="LL" to="critical"/>

    <!-- Status of an Observation. -->
    <status from="registered" to="preliminary"/>
    <status from="preliminary" to="preliminary"/>
    <status from="final" to="final"/>
    <status from="amended" to="correction"/>
    <status from="corrected" to="correction"/>

    <!-- Vital signs: LOINC (or SNOMED CT) code of the document, column and LOINC code of the model. -->
    <vital from="8480-6" column="bp_systolic" to="8480-6" title="Systolic blood pressure"/>
    <vital from="8459-0" column="bp_systolic" to="8480-6" title="Systolic blood pressure" position="33586001"/>
    <vital from="8460-8" column="bp_systolic" to="8480-6" title="Systolic blood pressure" position="10904000"/>
    <vital from="8461-6" column="bp_systolic" to="8480-6" title="Systolic blood pressure" position="40199007"/>
    <vital from="8462-4" column="bp_diastolic" to="8462-4" title="Diastolic blood pressure"/>
    <vital from="8453-3" column="bp_diastolic" to="8462-4" title="Diastolic blood pressure" position="33586001"/>
    <vital from="8454-1" column="bp_diastolic" to="8462-4" title="Diastolic blood pressure" position="10904000"/>
    <vital from="8455-8" column="bp_diastolic" to="8462-4" title="Diastolic blood pressure" position="40199007"/>
    <vital from="39156-5" column="bmi" to="39156-5" title="Body mass index"/>
    <vital from="8867-4" column="heart_rate" to="8867-4" title="Heart rate"/>
    <vital from="8889-8" column="heart_rate" to="8867-4" title="Heart rate"/>
    <vital from="8302-2" column="height" to="8302-2" title="Body height"/>
    <vital from="3137-7" column="height" to="8302-2" title="Body height"/>
    <vital from="8306-3" column="height" to="8306-3" title="Body height (lying)"/>
    <vital from="2710-2" column="oxygen_saturation" to="2710-2" title="Oxygen saturation"/>
    <vital from="59408-5" column="oxygen_saturation" to="2710-2" title="Oxygen saturation"/>
    <vital from="2708-6" column="oxygen_saturation" to="2710-2" title="Oxygen saturation"/>
    <vital from="9279-1" column="respiratory_rate" to="9279-1" title="Respiratory rate"/>
    <vital from="8310-5" column="temperature" to="8310-5" title="Body temperature"/>
    <vital from="8331-1" column="temperature" to="8310-5" title="Body temperature"/>
    <vital from="8332-9" column="temperature" to="8310-5" title="Body temperature"/>
    <vital from="8333-7" column="temperature" to="8310-5" title="Body temperature"/>
    <vital from="8328-7" column="temperature" to="8310-5" title="Body temperature"/>
    <vital from="3141-9" column="weight" to="3141-9" title="Body weight"/>
    <vital from="29463-7" column="weight" to="3141-9" title="Body weight"/>
    <vital snomed="271649006" column="bp_systolic" to="8480-6" title="Systolic blood pressure"/>
    <vital snomed="271650006" column="bp_diastolic" to="8462-4" title="Diastolic blood pressure"/>
    <vital snomed="60621009" column="bmi" to="39156-5" title="Body mass index"/>
    <vital snomed="364075005" column="heart_rate" to="8867-4" title="Heart rate"/>
    <vital snomed="50373000" column="height" to="8302-2" title="Body height"/>
    <vital snomed="431314004" column="oxygen_saturation" to="2710-2" title="Oxygen saturation"/>
    <vital snomed="86290005" column="respiratory_rate" to="9279-1" title="Respiratory rate"/>
    <vital snomed="386725007" column="temperature" to="8310-5" title="Body temperature"/>
    <vital snomed="27113001" column="weight" to="3141-9" title="Body weight"/>
    <panel code="85353-1"/>
    <panel code="85354-9"/>
    <panel code="55284-4"/>

    <!-- Units of the document; the model's unit; (value minus `minus`) times `times` over `by`. All conversions are exact. -->
    <unit column="bp_systolic" from="mm[Hg]" to="mm[Hg]"/>
    <unit column="bp_systolic" from="mmHg" to="mm[Hg]"/>
    <unit column="bp_diastolic" from="mm[Hg]" to="mm[Hg]"/>
    <unit column="bp_diastolic" from="mmHg" to="mm[Hg]"/>
    <unit column="bmi" from="kg/m2" to="kg/m2"/>
    <unit column="heart_rate" from="{{beats}}/min" to="{{beats}}/min"/>
    <unit column="heart_rate" from="{{Beats}}/min" to="{{beats}}/min"/>
    <unit column="heart_rate" from="/min" to="{{beats}}/min"/>
    <unit column="heart_rate" from="1/min" to="{{beats}}/min"/>
    <unit column="heart_rate" from="bpm" to="{{beats}}/min"/>
    <unit column="height" from="m" to="m"/>
    <unit column="height" from="cm" to="m" by="100"/>
    <unit column="height" from="mm" to="m" by="1000"/>
    <unit column="height" from="[in_i]" to="m" times="0.0254"/>
    <unit column="height" from="in" to="m" times="0.0254"/>
    <unit column="height" from="inches" to="m" times="0.0254"/>
    <unit column="height" from="[ft_i]" to="m" times="0.3048"/>
    <unit column="oxygen_saturation" from="%" to="%{{HemoglobinSaturation}}"/>
    <unit column="oxygen_saturation" from="%{{HemoglobinSaturation}}" to="%{{HemoglobinSaturation}}"/>
    <unit column="respiratory_rate" from="{{breaths}}/min" to="{{breaths}}/min"/>
    <unit column="respiratory_rate" from="{{Breaths}}/min" to="{{breaths}}/min"/>
    <unit column="respiratory_rate" from="/min" to="{{breaths}}/min"/>
    <unit column="respiratory_rate" from="1/min" to="{{breaths}}/min"/>
    <unit column="temperature" from="Cel" to="Cel"/>
    <unit column="temperature" from="[degF]" to="Cel" minus="32" times="5" by="9"/>
    <unit column="temperature" from="K" to="Cel" minus="273.15"/>
    <unit column="weight" from="kg" to="kg"/>
    <unit column="weight" from="g" to="kg" by="1000"/>
    <unit column="weight" from="[lb_av]" to="kg" times="0.45359237"/>
    <unit column="weight" from="lb" to="kg" times="0.45359237"/>
    <unit column="weight" from="lbs" to="kg" times="0.45359237"/>
    <unit column="weight" from="[oz_av]" to="kg" times="0.028349523125"/>
    <position code="33586001"/>
    <position code="10904000"/>
    <position code="40199007"/>
    <site code="368208006"/>
    <site code="368209003"/>
    <site code="61396006"/>
    <site code="11207009"/>
    <method from="37931006" to="auscultation"/>
    <method from="113011001" to="palpation"/>
    <method from="77938009" to="invasive"/>

    <!-- Kinds of encounter: class, else a few SNOMED codes and ranges of CPT among the types. -->
    <visit of="act-code" code="AMB" to="ambulatory"/>
    <visit of="act-code" code="EMER" to="emergency"/>
    <visit of="act-code" code="FLD" to="field"/>
    <visit of="act-code" code="HH" to="home"/>
    <visit of="act-code" code="IMP" to="inpatient"/>
    <visit of="act-code" code="ACUTE" to="inpatient"/>
    <visit of="act-code" code="NONAC" to="inpatient"/>
    <visit of="act-code" code="SS" to="inpatient"/>
    <visit of="act-code" code="VR" to="virtual"/>
    <visit of="snomed" code="4525004" to="emergency"/>
    <visit of="snomed" code="50849002" to="emergency"/>
    <visit of="snomed" code="32485007" to="inpatient"/>
    <visit of="snomed" code="183452005" to="inpatient"/>
    <visit of="snomed" code="439708006" to="home"/>
    <visit of="snomed" code="185317003" to="virtual"/>
    <visit of="snomed" code="448337001" to="virtual"/>
    <visits first="99201" last="99215" to="ambulatory"/>
    <visits first="99221" last="99239" to="inpatient"/>
    <visits first="99241" last="99245" to="ambulatory"/>
    <visits first="99251" last="99255" to="inpatient"/>
    <visits first="99281" last="99288" to="emergency"/>
    <visits first="99341" last="99350" to="home"/>
    <visits first="99381" last="99397" to="ambulatory"/>
    <visits first="99421" last="99423" to="virtual"/>
    <visits first="99441" last="99443" to="virtual"/>

    <!-- Procedures take any code system; these have a well-known URI in the models, the others keep their own. -->
    <system of="snomed" uri="http://purl.bioontology.org/ontology/SNOMEDCT/"/>
    <system of="loinc" uri="http://purl.bioontology.org/ontology/LNC/"/>
    <system of="cpt" uri="http://purl.bioontology.org/ontology/CPT/"/>

    <!-- TimingAbbreviation, and times of the day (EventTiming) that come once a day. -->
    <timing code="QD" value="1" unit="/d"/>
    <timing code="BID" value="2" unit="/d"/>
    <timing code="TID" value="3" unit="/d"/>
    <timing code="QID" value="4" unit="/d"/>
    <timing code="AM" value="1" unit="/d"/>
    <timing code="PM" value="1" unit="/d"/>
    <timing code="BED" value="1" unit="/d"/>
    <timing code="QOD" value="1" unit="/(2.d)"/>
    <timing code="WK" value="1" unit="/wk"/>
    <timing code="MO" value="1" unit="/mo"/>
    <timing code="Q1H" value="24" unit="/d"/>
    <timing code="Q2H" value="12" unit="/d"/>
    <timing code="Q3H" value="8" unit="/d"/>
    <timing code="Q4H" value="6" unit="/d"/>
    <timing code="Q6H" value="4" unit="/d"/>
    <timing code="Q8H" value="3" unit="/d"/>
    <daily event="MORN"/>
    <daily event="NOON"/>
    <daily event="AFT"/>
    <daily event="EVE"/>
    <daily event="NIGHT"/>
    <daily event="HS"/>
    <daily event="CM"/>
    <daily event="CD"/>
    <daily event="CV"/>
    <daily event="ACM"/>
    <daily event="ACD"/>
    <daily event="ACV"/>
    <daily event="PCM"/>
    <daily event="PCD"/>
    <daily event="PCV"/>

    <!-- Columns that are not 255 characters long; 0 is without end. What cannot be cut without changing it is dropped. -->
    <column name="Problem.notes" max="0"/>
    <column name="LabResult.notes" max="600"/>
    <column name="LabResult.accession_number" max="255" drop="yes"/>
    <column name="Fill.pharmacy_ncpdpid" max="255" drop="yes"/>
    <column name="Fill.provider_npi_number" max="255" drop="yes"/>
    <column name="Fill.provider_dea_number" max="255" drop="yes"/>
    <column name="Encounter.provider_npi_number" max="255" drop="yes"/>
    <column name="Encounter.provider_dea_number" max="255" drop="yes"/>
    <column name="Procedure.comments" max="0"/>
    <column name="Procedure.name" max="100"/>
    <column name="Procedure.name_type" max="80" drop="yes"/>
    <column name="Procedure.name_value" max="40" drop="yes"/>
    <column name="Procedure.provider_name" max="200"/>
    <column name="Procedure.provider_institution" max="200"/>
    <column name="Procedure.location" max="100"/>
    <column name="Fill.pharmacy_adr_postalcode" max="12" drop="yes"/>
    <column name="Fill.provider_adr_postalcode" max="12" drop="yes"/>
    <column name="Fill.provider_tel_1_number" max="20" drop="yes"/>
    <column name="Fill.provider_tel_2_number" max="20" drop="yes"/>
    <column name="Fill.provider_email" max="255" drop="yes"/>
    <column name="Encounter.facility_adr_postalcode" max="12" drop="yes"/>
    <column name="Encounter.provider_adr_postalcode" max="12" drop="yes"/>
    <column name="Encounter.provider_tel_1_number" max="20" drop="yes"/>
    <column name="Encounter.provider_tel_2_number" max="20" drop="yes"/>
    <column name="Encounter.provider_email" max="255" drop="yes"/>
  </xsl:variable>

  <!-- ============================================================ the whole bundle -->

  <!-- Whose record this is: the subject of the document, else the first patient; without any, whom the first resource names. -->
  <xsl:variable name="patients" select="/f:Bundle/f:entry/f:resource/f:Patient"/>
  <xsl:variable name="subject" select="key('resource', /f:Bundle/f:entry[1]/f:resource/f:Composition/f:subject/f:reference/@value)[self::f:Patient]"/>
  <xsl:variable name="person" select="($subject | $patients[not($subject)])[1]"/>
  <xsl:variable name="first-named" select="(/f:Bundle/f:entry/f:resource/*/f:subject/f:reference/@value | /f:Bundle/f:entry/f:resource/*/f:patient/f:reference/@value)[1]"/>

  <xsl:template match="/f:Bundle">
    <xsl:variable name="drafts"><xsl:apply-templates select="f:entry/f:resource/*"/></xsl:variable>
    <xsl:variable name="left-out">
      <xsl:for-each select="exsl:node-set($drafts)/LeftOut"><LeftOut what="{@model}|{@reason}"><xsl:copy-of select="@*"/></LeftOut></xsl:for-each>
    </xsl:variable>
    <Models>
      <!-- distinct() keeps the first of equal values, in time that grows with their number only. -->
      <xsl:for-each select="exsl:node-set($drafts)">
        <xsl:for-each select="set:distinct(*/@same)">
          <xsl:apply-templates mode="tidy" select="parent::*[not(@visit) or not(key('taken-in', @visit))]"/>
        </xsl:for-each>
      </xsl:for-each>
      <xsl:for-each select="exsl:node-set($left-out)">
        <xsl:for-each select="set:distinct(LeftOut/@what)">
          <LeftOut model="{../@model}" reason="{../@reason}" count="{count(key('left-out', .))}"/>
        </xsl:for-each>
      </xsl:for-each>
      <xsl:for-each select="exsl:node-set($drafts)">
        <xsl:variable name="firsts" select="set:distinct(Model/@same)"/>
        <xsl:for-each select="set:distinct(Model/@name)">
          <xsl:variable name="repeated" select="count(/Model[@name = current()]) - count($firsts[../@name = current()])"/>
          <xsl:if test="$repeated > 0"><LeftOut model="{.}" reason="repeated" count="{$repeated}"/></xsl:if>
        </xsl:for-each>
        <xsl:variable name="repeated" select="count(Reading) - count(set:distinct(Reading/@slot))"/>
        <xsl:if test="$repeated > 0"><LeftOut model="VitalSigns" reason="repeated" count="{$repeated}"/></xsl:if>
      </xsl:for-each>
    </Models>
  </xsl:template>

  <!-- What has no model is left out under its own name. -->
  <xsl:template match="f:resource/*" priority="-1">
    <xsl:if test="not($tables/support[@name = local-name(current())])"><LeftOut model="{local-name()}" reason="not_supported"/></xsl:if>
  </xsl:template>

  <!-- Why a resource is no fact, whatever it is about; empty when nothing speaks against it. -->
  <xsl:template match="*" mode="why">
    <xsl:variable name="status" select="f:status/@value"/>
    <xsl:variable name="certainty" select="f:verificationStatus/f:coding/f:code/@value"/>
    <xsl:variable name="named" select="(f:subject | f:patient)[1]/f:reference/@value"/>
    <xsl:variable name="known" select="(key('resource', substring-before(concat($named, '/_history/'), '/_history/')))[1][self::f:Patient]"/>
    <xsl:choose>
      <!-- An extension that may change the meaning of everything else. -->
      <xsl:when test="f:modifierExtension">modifier_extension</xsl:when>
      <xsl:when test="$status = 'entered-in-error' or $certainty = 'entered-in-error'">entered_in_error</xsl:when>
      <xsl:when test="starts-with($named, 'Group/') or starts-with($named, 'Device/') or starts-with($named, 'Location/')">other_person</xsl:when>
      <xsl:when test="$known and $person and not($known/f:id/@value = $person/f:id/@value) and generate-id($known) != generate-id($person)">other_person</xsl:when>
      <xsl:when test="not($patients) and $named and $named != $first-named">other_person</xsl:when>
      <xsl:when test="$certainty = 'refuted' or f:doNotPerform/@value = 'true'">negated</xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ problems -->

  <xsl:template match="f:resource/f:Condition">
    <xsl:variable name="code" select="f:code/f:coding[f:system/@value = $snomed][f:code/@value != ''][translate(f:code/@value, $digits, '') = '']"/>
    <xsl:variable name="onset"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:onsetDateTime/@value | f:onsetPeriod/f:start/@value)[1]"/></xsl:call-template></xsl:variable>
    <!-- Without an onset in time, the day the condition was recorded. -->
    <xsl:variable name="recorded"><xsl:call-template name="time"><xsl:with-param name="value" select="f:recordedDate/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="start" select="concat($onset, substring($recorded, 1, string-length($recorded) * ($onset = '')))"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="f:verificationStatus/f:coding/f:code/@value = 'differential'">unconfirmed</xsl:when>
        <!-- "No current problems or disability" -->
        <xsl:when test="$code/f:code/@value = '160245001'">negated</xsl:when>
        <xsl:when test="not($code)"><xsl:call-template name="no-code"><xsl:with-param name="concept" select="f:code"/></xsl:call-template></xsl:when>
        <xsl:when test="$start = ''">no_date</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Problem" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <Model name="Problem">
          <xsl:call-template name="identity"/>
          <xsl:call-template name="coded">
            <xsl:with-param name="field" select="'name'"/>
            <xsl:with-param name="code" select="$code[1]"/>
            <xsl:with-param name="system" select="$snomed-uri"/>
          </xsl:call-template>
          <Field name="startDate"><xsl:value-of select="$start"/></Field>
          <Field name="endDate"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:abatementDateTime/@value | f:abatementPeriod/f:end/@value)[1]"/></xsl:call-template></Field>
          <Field name="notes">
            <xsl:call-template name="notes"/>
            <xsl:if test="$onset = ''"> Onset not stated; the start is when the problem was recorded.</xsl:if>
          </Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ allergies -->

  <!-- The model holds one reaction, so every manifestation makes its own fact. -->
  <xsl:template match="f:resource/f:AllergyIntolerance">
    <xsl:variable name="drug" select="f:code/f:coding[f:system/@value = $rxnorm][f:code/@value != ''][translate(f:code/@value, $digits, '') = '']"/>
    <xsl:variable name="class" select="f:code/f:coding[f:system/@value = $ndfrt][f:code/@value != '']"/>
    <xsl:variable name="food" select="f:code/f:coding[f:system/@value = $unii][f:code/@value != '']"/>
    <xsl:variable name="exclusion" select="$tables/exclusion[@from = current()/f:code/f:coding[f:system/@value = $snomed]/f:code/@value][1]/@to"/>
    <!-- Without a category, a code for a drug says that it is one. -->
    <xsl:variable name="kinds" select="f:category/@value"/>
    <xsl:variable name="type" select="concat(f:type/@value, substring('allergy', 1, 7 * not(f:type/@value)))"/>
    <xsl:variable name="category" select="$tables/category[@type = $type][@of = $kinds or (not($kinds) and ($drug or $class) and @of = 'medication')][1]/@to"/>
    <xsl:variable name="state" select="f:clinicalStatus/f:coding/f:code/@value"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <!-- Inactive or resolved: the model could only say that it still holds. -->
        <xsl:when test="$state = 'inactive' or $state = 'resolved'">inactive</xsl:when>
        <xsl:when test="$exclusion"/>
        <xsl:when test="not($drug or $class or $food)"><xsl:call-template name="no-code"><xsl:with-param name="concept" select="f:code"/></xsl:call-template></xsl:when>
        <xsl:when test="not($category)">unknown_value</xsl:when>
        <xsl:when test="not(f:reaction/f:manifestation)">no_reaction</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Allergy" reason="{$why}"/></xsl:when>
      <xsl:when test="$exclusion">
        <Model name="AllergyExclusion">
          <xsl:call-template name="identity"/>
          <xsl:call-template name="listed">
            <xsl:with-param name="field" select="'name'"/>
            <xsl:with-param name="code" select="$exclusion"/>
            <xsl:with-param name="system" select="$snomed-uri"/>
          </xsl:call-template>
        </Model>
      </xsl:when>
      <xsl:otherwise>
        <xsl:variable name="allergy" select="."/>
        <xsl:for-each select="f:reaction/f:manifestation">
          <xsl:variable name="reaction" select="f:coding[f:system/@value = $snomed][f:code/@value != ''][translate(f:code/@value, $digits, '') = '']"/>
          <xsl:variable name="severity" select="$tables/severity[@from = current()/../f:severity/@value]/@to"/>
          <xsl:choose>
            <xsl:when test="not($reaction)"><LeftOut model="Allergy" reason="no_reaction"/></xsl:when>
            <xsl:when test="not($severity)"><LeftOut model="Allergy" reason="no_severity"/></xsl:when>
            <xsl:otherwise>
              <Model name="Allergy">
                <xsl:variable name="alone" select="generate-id()"/>
                <xsl:for-each select="$allergy">
                  <xsl:call-template name="identity">
                    <xsl:with-param name="part" select="$reaction[1]/f:code/@value"/>
                    <xsl:with-param name="alone" select="$alone"/>
                  </xsl:call-template>
                </xsl:for-each>
                <xsl:call-template name="listed">
                  <xsl:with-param name="field" select="'category'"/>
                  <xsl:with-param name="code" select="$category"/>
                  <xsl:with-param name="system" select="$snomed-uri"/>
                </xsl:call-template>
                <xsl:call-template name="coded">
                  <xsl:with-param name="field" select="'allergic_reaction'"/>
                  <xsl:with-param name="code" select="$reaction[1]"/>
                  <xsl:with-param name="system" select="$snomed-uri"/>
                </xsl:call-template>
                <xsl:call-template name="listed">
                  <xsl:with-param name="field" select="'severity'"/>
                  <xsl:with-param name="code" select="$severity"/>
                  <xsl:with-param name="system" select="$snomed-uri"/>
                </xsl:call-template>
                <xsl:call-template name="coded">
                  <xsl:with-param name="field" select="'drug_allergen'"/>
                  <xsl:with-param name="code" select="$drug[1]"/>
                  <xsl:with-param name="system" select="$rxnorm-uri"/>
                </xsl:call-template>
                <xsl:call-template name="coded">
                  <xsl:with-param name="field" select="'drug_class_allergen'"/>
                  <xsl:with-param name="code" select="$class[1]"/>
                  <xsl:with-param name="system" select="$ndfrt-uri"/>
                </xsl:call-template>
                <xsl:call-template name="coded">
                  <xsl:with-param name="field" select="'food_allergen'"/>
                  <xsl:with-param name="code" select="$food[1]"/>
                  <xsl:with-param name="system" select="$unii-uri"/>
                </xsl:call-template>
              </Model>
            </xsl:otherwise>
          </xsl:choose>
        </xsl:for-each>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ medications -->

  <xsl:template match="f:resource/f:MedicationRequest">
    <xsl:variable name="status" select="f:status/@value"/>
    <xsl:variable name="intent" select="f:intent/@value"/>
    <xsl:variable name="relative" select="concat('MedicationRequest/', f:id/@value)"/>
    <xsl:call-template name="medication">
      <xsl:with-param name="why">
        <xsl:choose>
          <xsl:when test="$status = 'cancelled'">cancelled</xsl:when>
          <xsl:when test="$status = 'draft' or $intent = 'proposal' or $intent = 'plan' or $intent = 'option'">planned</xsl:when>
        </xsl:choose>
      </xsl:with-param>
      <xsl:with-param name="start" select="(f:dosageInstruction/f:timing/f:repeat/f:boundsPeriod/f:start/@value)[1]"/>
      <xsl:with-param name="start-else" select="f:authoredOn/@value"/>
      <xsl:with-param name="end" select="(f:dosageInstruction/f:timing/f:repeat/f:boundsPeriod/f:end/@value)[last()]"/>
      <xsl:with-param name="dosage" select="f:dosageInstruction"/>
      <xsl:with-param name="provenance" select="concat(substring('patientReport', 1, 13 * (f:reportedBoolean/@value = 'true')), substring('prescription', 1, 12 * not(f:reportedBoolean/@value = 'true')))"/>
      <!-- The first of several requests of one id gets the dispenses; no reference holds a space. -->
      <xsl:with-param name="fills" select="key('dispense-of', ../../f:fullUrl/@value[generate-id((key('resource', .))[1]) = generate-id(current())])
                                           | key('dispense-of', concat(substring(' ', 1 + (generate-id((key('resource', $relative))[1]) = generate-id())), $relative))"/>
    </xsl:call-template>
  </xsl:template>

  <xsl:template match="f:resource/f:MedicationStatement">
    <xsl:variable name="status" select="f:status/@value"/>
    <xsl:variable name="source" select="f:informationSource/f:reference/@value"/>
    <xsl:variable name="by-patient" select="starts-with($source, 'Patient/') or starts-with($source, 'RelatedPerson/')
                                            or (key('resource', $source))[1][self::f:Patient or self::f:RelatedPerson]"/>
    <xsl:call-template name="medication">
      <xsl:with-param name="why">
        <xsl:choose>
          <xsl:when test="$status = 'not-taken'">negated</xsl:when>
          <xsl:when test="$status = 'intended'">planned</xsl:when>
        </xsl:choose>
      </xsl:with-param>
      <xsl:with-param name="start" select="(f:effectiveDateTime/@value | f:effectivePeriod/f:start/@value)[1]"/>
      <xsl:with-param name="end" select="f:effectivePeriod/f:end/@value"/>
      <xsl:with-param name="dosage" select="f:dosage"/>
      <xsl:with-param name="provenance" select="substring('patientReport', 1, 13 * $by-patient)"/>
    </xsl:call-template>
  </xsl:template>

  <!-- A dispense of a request in this bundle stands with the request; any other makes a medication of its own. -->
  <xsl:template match="f:resource/f:MedicationDispense">
    <xsl:if test="not(f:authorizingPrescription/f:reference/@value[(key('resource', .))[1][self::f:MedicationRequest]])">
      <xsl:variable name="why"><xsl:apply-templates select="." mode="dispensed"/></xsl:variable>
      <xsl:call-template name="medication">
        <xsl:with-param name="why" select="$why"/>
        <xsl:with-param name="start" select="f:whenHandedOver/@value"/>
        <xsl:with-param name="start-else" select="f:whenPrepared/@value"/>
        <xsl:with-param name="dosage" select="f:dosageInstruction"/>
        <xsl:with-param name="provenance" select="'fulfillment'"/>
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
    <xsl:param name="fills" select="/.."/>
    <xsl:variable name="named" select="f:medicationReference/f:reference/@value"/>
    <xsl:variable name="concept" select="f:medicationCodeableConcept | ((key('resource', substring-before(concat($named, '/_history/'), '/_history/')))[1]
                                         | (key('resource', concat(generate-id(), $named)))[1])[self::f:Medication][1]/f:code"/>
    <xsl:variable name="code" select="$concept/f:coding[f:system/@value = $rxnorm][f:code/@value != ''][translate(f:code/@value, $digits, '') = '']"/>
    <xsl:variable name="first-day"><xsl:call-template name="time"><xsl:with-param name="value" select="$start"/></xsl:call-template></xsl:variable>
    <xsl:variable name="other-day"><xsl:call-template name="time"><xsl:with-param name="value" select="$start-else"/></xsl:call-template></xsl:variable>
    <xsl:variable name="last-day"><xsl:call-template name="time"><xsl:with-param name="value" select="$end"/></xsl:call-template></xsl:variable>
    <xsl:variable name="day" select="concat($first-day, substring($other-day, 1, string-length($other-day) * ($first-day = '')))"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="reason">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="$why != ''"><xsl:value-of select="$why"/></xsl:when>
        <xsl:when test="not($code)"><xsl:call-template name="no-code"><xsl:with-param name="concept" select="$concept"/></xsl:call-template></xsl:when>
        <xsl:when test="$day = ''">no_date</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$reason != ''">
        <LeftOut model="Medication" reason="{$reason}"/>
        <xsl:for-each select="$fills"><LeftOut model="Fill" reason="no_medication"/></xsl:for-each>
      </xsl:when>
      <xsl:otherwise>
        <xsl:variable name="filled"><xsl:apply-templates select="$fills" mode="Fill"/></xsl:variable>
        <Model name="Medication">
          <xsl:call-template name="identity"/>
          <xsl:call-template name="coded">
            <xsl:with-param name="field" select="'drugName'"/>
            <xsl:with-param name="code" select="$code[1]"/>
            <xsl:with-param name="system" select="$rxnorm-uri"/>
          </xsl:call-template>
          <Field name="startDate"><xsl:value-of select="substring($day, 1, 10)"/></Field>
          <Field name="endDate"><xsl:value-of select="substring($last-day, 1, 10)"/></Field>
          <!-- Of several dosages (one in the morning, two at night) none is the dose. -->
          <xsl:if test="count($dosage) = 1">
            <xsl:for-each select="$dosage/f:timing[1]"><xsl:call-template name="frequency"/></xsl:for-each>
            <xsl:call-template name="amount">
              <xsl:with-param name="field" select="'quantity'"/>
              <xsl:with-param name="quantity" select="$dosage/f:doseAndRate[1]/f:doseQuantity"/>
            </xsl:call-template>
          </xsl:if>
          <Field name="instructions">
            <xsl:for-each select="$dosage/f:text | $dosage[not(f:text)]/f:patientInstruction">
              <xsl:if test="position() > 1">; </xsl:if>
              <xsl:value-of select="@value"/>
            </xsl:for-each>
          </Field>
          <xsl:if test="$provenance != ''">
            <xsl:call-template name="listed">
              <xsl:with-param name="field" select="'provenance'"/>
              <xsl:with-param name="code" select="$provenance"/>
              <xsl:with-param name="system" select="concat($list-uri, 'MedicationProvenance#')"/>
            </xsl:call-template>
          </xsl:if>
          <xsl:if test="exsl:node-set($filled)/Model">
            <Field name="fulfillments"><Models><xsl:copy-of select="exsl:node-set($filled)/Model"/></Models></Field>
          </xsl:if>
        </Model>
        <xsl:copy-of select="exsl:node-set($filled)/LeftOut"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- 2 times per 1 d is 2 a day, once per 8 h is 3 a day, once per 2 d is 1 per two days. Ranges have no frequency. -->
  <xsl:template name="frequency">
    <xsl:variable name="repeat" select="f:repeat[not(f:frequencyMax) and not(f:periodMax)]"/>
    <xsl:variable name="times" select="number(concat($repeat/f:frequency/@value, substring('1', 1, not($repeat/f:frequency))))"/>
    <xsl:variable name="period" select="number($repeat/f:period/@value)"/>
    <xsl:variable name="unit" select="$repeat/f:periodUnit/@value"/>
    <xsl:variable name="known" select="$tables/timing[@code = current()/f:code/f:coding/f:code/@value][1]"/>
    <xsl:choose>
      <xsl:when test="$times &gt; 0 and $period &gt; 0 and $unit">
        <xsl:choose>
          <xsl:when test="$unit = 'h' and (24 * $times) mod $period = 0">
            <Field name="frequency_value"><xsl:value-of select="24 * $times div $period"/></Field>
            <Field name="frequency_unit">/d</Field>
          </xsl:when>
          <xsl:when test="$times mod $period = 0">
            <Field name="frequency_value"><xsl:value-of select="$times div $period"/></Field>
            <Field name="frequency_unit"><xsl:value-of select="concat('/', $unit)"/></Field>
          </xsl:when>
          <xsl:when test="$period = floor($period)">
            <Field name="frequency_value"><xsl:value-of select="$times"/></Field>
            <Field name="frequency_unit"><xsl:value-of select="concat('/(', $period, '.', $unit, ')')"/></Field>
          </xsl:when>
        </xsl:choose>
      </xsl:when>
      <xsl:when test="f:repeat/f:frequency or f:repeat/f:period"/>
      <xsl:when test="$known">
        <Field name="frequency_value"><xsl:value-of select="$known/@value"/></Field>
        <Field name="frequency_unit"><xsl:value-of select="$known/@unit"/></Field>
      </xsl:when>
      <xsl:when test="count(f:repeat/f:when) = 1 and f:repeat/f:when/@value = $tables/daily/@event">
        <Field name="frequency_value">1</Field>
        <Field name="frequency_unit">/d</Field>
      </xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- Why a dispense has not happened. -->
  <xsl:template match="f:MedicationDispense" mode="dispensed">
    <xsl:choose>
      <xsl:when test="f:status/@value = 'preparation' or f:status/@value = 'in-progress' or f:status/@value = 'on-hold'">planned</xsl:when>
      <xsl:when test="f:status/@value != 'completed'">cancelled</xsl:when>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="f:MedicationDispense" mode="Fill">
    <xsl:variable name="over"><xsl:call-template name="time"><xsl:with-param name="value" select="f:whenHandedOver/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="prepared"><xsl:call-template name="time"><xsl:with-param name="value" select="f:whenPrepared/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="date" select="concat($over, substring($prepared, 1, string-length($prepared) * ($over = '')))"/>
    <xsl:variable name="unit" select="(f:daysSupply/f:code | f:daysSupply[not(f:code)]/f:unit)/@value"/>
    <xsl:variable name="in-days" select="not($unit) or $unit = 'd' or $unit = 'day' or $unit = 'days' or $unit = 'Day' or $unit = 'Days'"/>
    <xsl:variable name="days" select="number(f:daysSupply/f:value/@value) * (1 + 6 * ($unit = 'wk'))"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="state"><xsl:apply-templates select="." mode="dispensed"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="$state != ''"><xsl:value-of select="$state"/></xsl:when>
        <xsl:when test="$date = ''">no_date</xsl:when>
        <xsl:when test="not(($in-days or $unit = 'wk') and $days &gt;= 0 and $days &lt; 100000)">no_days_supply</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Fill" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="shop" select="((key('resource', string(f:location/f:reference/@value)))[1] | (key('resource', concat(generate-id(), f:location/f:reference/@value)))[1])[self::f:Location][1]"/>
        <xsl:variable name="actor" select="f:performer/f:actor/f:reference/@value"/>
        <xsl:variable name="firm" select="((key('resource', string($actor[(key('resource', .))[1][self::f:Organization]])))[1] | (key('resource', concat(generate-id(), $actor)))[1])[self::f:Organization][1]"/>
        <Model name="Fill">
          <Field name="date"><xsl:value-of select="$date"/></Field>
          <Field name="dispenseDaysSupply"><xsl:value-of select="format-number($days, '0.######')"/></Field>
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

  <xsl:template match="f:resource/f:Immunization">
    <xsl:variable name="code" select="f:vaccineCode/f:coding[f:system/@value = $cvx][f:code/@value != ''][translate(f:code/@value, $digits, '') = '']"/>
    <xsl:variable name="date"><xsl:call-template name="time"><xsl:with-param name="value" select="f:occurrenceDateTime/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="not($code)"><xsl:call-template name="no-code"><xsl:with-param name="concept" select="f:vaccineCode"/></xsl:call-template></xsl:when>
        <xsl:when test="$date = ''">no_date</xsl:when>
        <xsl:when test="not(f:status/@value = 'completed' or f:status/@value = 'not-done')">unknown_value</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Immunization" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="status">
          <xsl:choose>
            <xsl:when test="f:status/@value = 'not-done'">notAdministered</xsl:when>
            <xsl:when test="f:subpotentReason/f:coding/f:code/@value = 'partial' or f:subpotentReason/f:coding/f:code/@value = 'partialdose'">partialDose</xsl:when>
            <xsl:otherwise>doseGiven</xsl:otherwise>
          </xsl:choose>
        </xsl:variable>
        <Model name="Immunization">
          <xsl:call-template name="identity"/>
          <Field name="date"><xsl:value-of select="$date"/></Field>
          <xsl:call-template name="listed">
            <xsl:with-param name="field" select="'administration_status'"/>
            <xsl:with-param name="code" select="string($status)"/>
            <xsl:with-param name="system" select="concat($list-uri, 'ImmunizationAdministrationStatus#')"/>
          </xsl:call-template>
          <xsl:call-template name="coded">
            <xsl:with-param name="field" select="'product_name'"/>
            <xsl:with-param name="code" select="$code[1]"/>
            <xsl:with-param name="system" select="$cvx-uri"/>
          </xsl:call-template>
          <xsl:variable name="reason" select="$tables/refusal[@from = current()[f:status/@value = 'not-done']/f:statusReason/f:coding/f:code/@value]/@to"/>
          <xsl:if test="$reason">
            <xsl:call-template name="listed">
              <xsl:with-param name="field" select="'refusal_reason'"/>
              <xsl:with-param name="code" select="$reason[1]"/>
              <xsl:with-param name="system" select="concat($list-uri, 'ImmunizationRefusalReason#')"/>
            </xsl:call-template>
          </xsl:if>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ observations -->

  <!-- By its category; without one, by the codes that only vital signs have. Components count for themselves. -->
  <xsl:template match="f:resource/f:Observation">
    <xsl:variable name="categories" select="f:category/f:coding/f:code/@value"/>
    <xsl:variable name="codes" select="f:code/f:coding[f:system/@value = $loinc]/f:code/@value"/>
    <xsl:variable name="kind">
      <xsl:choose>
        <xsl:when test="$categories = 'vital-signs'">VitalSigns</xsl:when>
        <xsl:when test="$categories = 'laboratory'">LabResult</xsl:when>
        <xsl:when test="not($categories) and ($vitals/@from = $codes or $tables/panel/@code = $codes)">VitalSigns</xsl:when>
        <xsl:otherwise>Observation</xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="parts" select="f:component | self::*[f:valueQuantity | f:valueCodeableConcept | f:valueString | f:valueBoolean | f:valueInteger | f:valueRange
                                       | f:valueRatio | f:valueSampledData | f:valueTime | f:valueDateTime | f:valuePeriod]"/>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="{$kind}" reason="{$general}"/></xsl:when>
      <xsl:when test="f:status/@value = 'cancelled'"><LeftOut model="{$kind}" reason="cancelled"/></xsl:when>
      <xsl:when test="$kind = 'Observation' and not($categories)"><LeftOut model="Observation" reason="no_category"/></xsl:when>
      <xsl:when test="$kind = 'Observation'"><LeftOut model="Observation" reason="not_supported"/></xsl:when>
      <!-- Its members are observations of their own. -->
      <xsl:when test="not($parts) and f:hasMember"><LeftOut model="{$kind}" reason="panel"/></xsl:when>
      <xsl:when test="not($parts)"><LeftOut model="{$kind}" reason="no_value"/></xsl:when>
      <xsl:when test="$kind = 'VitalSigns'"><xsl:apply-templates select="$parts" mode="VitalSigns"/></xsl:when>
      <xsl:otherwise><xsl:apply-templates select="$parts" mode="LabResult"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="f:Observation | f:component" mode="LabResult">
    <xsl:variable name="whole" select="ancestor-or-self::f:Observation"/>
    <xsl:variable name="code" select="f:code/f:coding[f:system/@value = $loinc][f:code/@value != '']"/>
    <xsl:variable name="result"><xsl:call-template name="result"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="not($code)"><xsl:call-template name="no-code"><xsl:with-param name="concept" select="f:code"/></xsl:call-template></xsl:when>
        <xsl:when test="not(exsl:node-set($result)/Field[normalize-space()])">no_value</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="LabResult" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="taken-from" select="$whole/f:specimen/f:reference/@value"/>
        <xsl:variable name="specimen" select="((key('resource', string($taken-from)))[1] | (key('resource', concat(generate-id($whole), $taken-from)))[1])[self::f:Specimen][1]"/>
        <xsl:variable name="collected"><xsl:call-template name="time"><xsl:with-param name="value" select="($specimen/f:collection/f:collectedDateTime/@value | $specimen/f:collection/f:collectedPeriod/f:start/@value)[1]"/></xsl:call-template></xsl:variable>
        <xsl:variable name="collector" select="$specimen/f:collection/f:collector"/>
        <Model name="LabResult">
          <xsl:variable name="part" select="concat($code[1]/f:code/@value, '|', position())"/>
          <xsl:for-each select="$whole"><xsl:call-template name="identity"><xsl:with-param name="part" select="$part"/></xsl:call-template></xsl:for-each>
          <xsl:call-template name="coded">
            <xsl:with-param name="field" select="'test_name'"/>
            <xsl:with-param name="code" select="$code[1]"/>
            <xsl:with-param name="system" select="$loinc-uri"/>
          </xsl:call-template>
          <xsl:copy-of select="$result"/>
          <xsl:call-template name="interpretation"/>
          <xsl:variable name="status" select="$tables/status[@from = $whole/f:status/@value]/@to"/>
          <xsl:if test="$status">
            <xsl:call-template name="listed">
              <xsl:with-param name="field" select="'status'"/>
              <xsl:with-param name="code" select="$status"/>
              <xsl:with-param name="system" select="concat($list-uri, 'LabStatus#')"/>
            </xsl:call-template>
          </xsl:if>
          <Field name="collected_at">
            <xsl:value-of select="$collected"/>
            <xsl:if test="$collected = ''">
              <xsl:call-template name="time"><xsl:with-param name="value" select="($whole/f:effectiveDateTime/@value | $whole/f:effectivePeriod/f:start/@value | $whole/f:effectiveInstant/@value)[1]"/></xsl:call-template>
            </xsl:if>
          </Field>
          <xsl:variable name="hand" select="((key('resource', string($collector/f:reference/@value)))[1] | (key('resource', concat(generate-id($whole), $collector/f:reference/@value)))[1])[self::f:Practitioner][1]"/>
          <xsl:for-each select="$hand/f:name[1]"><xsl:call-template name="person"><xsl:with-param name="field" select="'collected_by_name'"/></xsl:call-template></xsl:for-each>
          <xsl:if test="not($hand/f:name)"><Field name="collected_by_name_family"><xsl:value-of select="$collector/f:display/@value"/></Field></xsl:if>
          <Field name="accession_number"><xsl:value-of select="$specimen/f:accessionIdentifier/f:value/@value"/></Field>
          <xsl:variable name="range" select="f:referenceRange[not(f:type) or f:type/f:coding/f:code/@value = 'normal'][f:low/f:value or f:high/f:value][1]"/>
          <xsl:if test="$range">
            <xsl:call-template name="amount"><xsl:with-param name="field" select="'quantitative_result_normal_range_min'"/><xsl:with-param name="quantity" select="$range/f:low"/></xsl:call-template>
            <xsl:call-template name="amount"><xsl:with-param name="field" select="'quantitative_result_normal_range_max'"/><xsl:with-param name="quantity" select="$range/f:high"/></xsl:call-template>
          </xsl:if>
          <Field name="notes">
            <xsl:for-each select="$whole"><xsl:call-template name="notes"/></xsl:for-each>
            <xsl:if test="not($range) and f:referenceRange/f:text"><xsl:value-of select="concat(' Reference range: ', f:referenceRange/f:text/@value)"/></xsl:if>
          </Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A number with its unit (and "&lt;" and the like before it), or words. -->
  <xsl:template name="result">
    <xsl:choose>
      <xsl:when test="f:valueQuantity/f:value">
        <Field name="quantitative_result_value_value"><xsl:value-of select="concat(f:valueQuantity/f:comparator/@value, f:valueQuantity/f:value/@value)"/></Field>
        <Field name="quantitative_result_value_unit"><xsl:apply-templates select="f:valueQuantity" mode="unit"/></Field>
      </xsl:when>
      <xsl:when test="f:valueInteger"><Field name="quantitative_result_value_value"><xsl:value-of select="f:valueInteger/@value"/></Field></xsl:when>
      <xsl:when test="f:valueRange">
        <Field name="narrative_result">
          <xsl:if test="f:valueRange/f:low/f:value or f:valueRange/f:high/f:value">
            <xsl:value-of select="concat(f:valueRange/f:low/f:value/@value, ' - ', f:valueRange/f:high/f:value/@value, ' ')"/>
            <xsl:apply-templates select="(f:valueRange/f:low | f:valueRange/f:high)[1]" mode="unit"/>
          </xsl:if>
        </Field>
      </xsl:when>
      <xsl:when test="f:valueRatio/f:numerator/f:value and f:valueRatio/f:denominator/f:value">
        <Field name="narrative_result">
          <xsl:value-of select="f:valueRatio/f:numerator/f:value/@value"/><xsl:apply-templates select="f:valueRatio/f:numerator" mode="unit"/>
          <xsl:text>:</xsl:text>
          <xsl:value-of select="f:valueRatio/f:denominator/f:value/@value"/><xsl:apply-templates select="f:valueRatio/f:denominator" mode="unit"/>
        </Field>
      </xsl:when>
      <xsl:when test="f:valueCodeableConcept">
        <Field name="narrative_result">
          <xsl:value-of select="(f:valueCodeableConcept/f:text | f:valueCodeableConcept[not(f:text)]/f:coding[f:display][1]/f:display
                                 | f:valueCodeableConcept[not(f:text) and not(f:coding/f:display)]/f:coding[1]/f:code)/@value"/>
        </Field>
      </xsl:when>
      <xsl:when test="f:valuePeriod/f:start or f:valuePeriod/f:end">
        <Field name="narrative_result"><xsl:value-of select="concat(f:valuePeriod/f:start/@value, ' - ', f:valuePeriod/f:end/@value)"/></Field>
      </xsl:when>
      <xsl:otherwise><Field name="narrative_result"><xsl:value-of select="(f:valueString | f:valueBoolean | f:valueTime | f:valueDateTime)/@value"/></Field></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="interpretation">
    <xsl:variable name="found" select="$tables/interpretation[@from = current()/f:interpretation/f:coding/f:code/@value]"/>
    <xsl:variable name="gravest" select="($found[@to = 'critical'] | $found[@to = 'abnormal'][not($found/@to = 'critical')] | $found[not($found/@to != 'normal')])[1]/@to"/>
    <xsl:if test="$gravest">
      <xsl:call-template name="listed">
        <xsl:with-param name="field" select="'abnormal_interpretation'"/>
        <xsl:with-param name="code" select="$gravest"/>
        <xsl:with-param name="system" select="concat($list-uri, 'LabResultInterpretation#')"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- Readings of one time and one encounter belong together. -->
  <xsl:template match="f:Observation | f:component" mode="VitalSigns">
    <xsl:variable name="whole" select="ancestor-or-self::f:Observation"/>
    <xsl:variable name="codes" select="f:code/f:coding[f:system/@value = $loinc]/f:code/@value"/>
    <xsl:variable name="vital" select="($vitals[@from = $codes] | $vitals[@snomed = current()/f:code/f:coding[f:system/@value = $snomed]/f:code/@value])[1]"/>
    <xsl:variable name="number" select="number(f:valueQuantity[not(f:comparator)]/f:value/@value)"/>
    <xsl:variable name="written"><xsl:apply-templates select="f:valueQuantity" mode="unit"/></xsl:variable>
    <xsl:variable name="unit" select="$units[@column = $vital/@column][@from = $written]"/>
    <xsl:variable name="time"><xsl:call-template name="time"><xsl:with-param name="value" select="($whole/f:effectiveDateTime/@value | $whole/f:effectivePeriod/f:start/@value | $whole/f:effectiveInstant/@value)[1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="not($vital) and $codes">unknown_value</xsl:when>
        <xsl:when test="not($vital)"><xsl:call-template name="no-code"><xsl:with-param name="concept" select="f:code"/></xsl:call-template></xsl:when>
        <xsl:when test="not($number &gt; -1000000 and $number &lt; 1000000)">no_value</xsl:when>
        <xsl:when test="not($unit)">wrong_unit</xsl:when>
        <xsl:when test="$time = ''">no_date</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="VitalSigns" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="minus" select="number(concat('0', $unit/@minus))"/>
        <xsl:variable name="times" select="number(concat($unit/@times, substring('1', 1, not($unit/@times))))"/>
        <xsl:variable name="by" select="number(concat($unit/@by, substring('1', 1, not($unit/@by))))"/>
        <xsl:variable name="named" select="$whole/f:encounter/f:reference/@value"/>
        <xsl:variable name="encounter" select="(key('resource', substring-before(concat($named, '/_history/'), '/_history/')))[1][self::f:Encounter]"/>
        <xsl:variable name="stance" select="$whole/f:extension[@url = 'http://hl7.org/fhir/StructureDefinition/observation-bodyPosition']/f:valueCodeableConcept/f:coding/f:code/@value"/>
        <Reading same="readings|{$named}|{$time}" slot="{$vital/@column}|{$named}|{$time}" date="{$time}" column="{$vital/@column}" code="{$vital/@to}" title="{$vital/@title}" unit="{$unit/@to}"
                 value="{format-number(($number - $minus) * $times div $by, '0.####')}">
          <xsl:if test="$encounter"><xsl:attribute name="encounter"><xsl:value-of select="generate-id($encounter)"/></xsl:attribute></xsl:if>
          <xsl:if test="starts-with($vital/@column, 'bp_')">
            <xsl:attribute name="position"><xsl:value-of select="($vital/@position | $tables/position[@code = $stance]/@code)[1]"/></xsl:attribute>
            <xsl:attribute name="site"><xsl:value-of select="$tables/site[@code = $whole/f:bodySite/f:coding/f:code/@value]/@code"/></xsl:attribute>
            <xsl:attribute name="method"><xsl:value-of select="$tables/method[@from = $whole/f:method/f:coding/f:code/@value]/@to"/></xsl:attribute>
          </xsl:if>
        </Reading>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ procedures -->

  <!-- The model needs a name, not a code: words are enough. -->
  <xsl:template match="f:resource/f:Procedure">
    <xsl:variable name="coded" select="f:code/f:coding[f:code/@value != ''][f:system/@value != '']"/>
    <xsl:variable name="code" select="($coded[f:system/@value = $snomed] | $coded[not($coded/f:system/@value = $snomed)])[1]"/>
    <xsl:variable name="title"><xsl:call-template name="title"><xsl:with-param name="code" select="$code"/><xsl:with-param name="concept" select="f:code"/></xsl:call-template></xsl:variable>
    <xsl:variable name="status" select="f:status/@value"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="$status = 'not-done'">negated</xsl:when>
        <xsl:when test="$status = 'preparation'">planned</xsl:when>
        <xsl:when test="$status != 'completed' and $status != 'in-progress'">cancelled</xsl:when>
        <xsl:when test="normalize-space($title) = ''">no_code</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Procedure" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="by" select="f:performer[1]/f:actor"/>
        <xsl:variable name="hand" select="((key('resource', string($by/f:reference/@value)))[1] | (key('resource', concat(generate-id(), $by/f:reference/@value)))[1])[1]"/>
        <xsl:variable name="house" select="((key('resource', string(f:performer[1]/f:onBehalfOf/f:reference/@value)))[1] | $hand)[self::f:Organization][1]"/>
        <xsl:variable name="place" select="((key('resource', string(f:location/f:reference/@value)))[1] | (key('resource', concat(generate-id(), f:location/f:reference/@value)))[1])[self::f:Location][1]"/>
        <xsl:variable name="system" select="$tables/system[@of = $tables/name[@uri = $code/f:system/@value]/@of]/@uri"/>
        <Model name="Procedure">
          <xsl:call-template name="identity"/>
          <Field name="date_performed"><xsl:call-template name="time"><xsl:with-param name="value" select="(f:performedDateTime/@value | f:performedPeriod/f:start/@value)[1]"/></xsl:call-template></Field>
          <Field name="name"><xsl:value-of select="$title"/></Field>
          <xsl:if test="$code">
            <Field name="name_type"><xsl:value-of select="$system"/><xsl:if test="not($system)"><xsl:value-of select="$code/f:system/@value"/></xsl:if></Field>
            <Field name="name_value"><xsl:value-of select="$code/f:code/@value"/></Field>
          </xsl:if>
          <Field name="provider_name">
            <xsl:choose>
              <xsl:when test="$hand[self::f:Practitioner]/f:name"><xsl:apply-templates select="$hand/f:name[1]" mode="words"/></xsl:when>
              <xsl:when test="not($hand[self::f:Organization])"><xsl:value-of select="$by/f:display/@value"/></xsl:when>
            </xsl:choose>
          </Field>
          <Field name="provider_institution"><xsl:value-of select="$house/f:name/@value"/><xsl:if test="not($house)"><xsl:value-of select="f:performer[1]/f:onBehalfOf/f:display/@value"/></xsl:if></Field>
          <Field name="location"><xsl:value-of select="$place/f:name/@value"/><xsl:if test="not($place)"><xsl:value-of select="f:location/f:display/@value"/></xsl:if></Field>
          <Field name="comments"><xsl:call-template name="notes"/></Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ encounters -->

  <xsl:template match="f:resource/f:Encounter">
    <xsl:variable name="class" select="f:class[not(f:system) or f:system/@value = $tables/name[@of = 'act-code']/@uri]/f:code/@value"/>
    <xsl:variable name="types" select="f:type/f:coding[f:system/@value = $snomed]/f:code/@value"/>
    <xsl:variable name="billing" select="f:type/f:coding[f:system/@value = $cpt]/f:code/@value"/>
    <xsl:variable name="kind" select="($tables/visit[@of = 'act-code'][@code = $class]/@to
                                       | $tables/visit[@of = 'snomed'][@code = $types][not($tables/visit[@of = 'act-code'][@code = $class])]/@to
                                       | $tables/visits[@first &lt;= $billing and @last &gt;= $billing][not($tables/visit[@of = 'act-code'][@code = $class])]/@to)[1]"/>
    <xsl:variable name="start"><xsl:call-template name="time"><xsl:with-param name="value" select="f:period/f:start/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="f:status/@value = 'planned'">planned</xsl:when>
        <xsl:when test="f:status/@value = 'cancelled'">cancelled</xsl:when>
        <xsl:when test="not($kind) and ($class or $types or $billing)">unknown_value</xsl:when>
        <xsl:when test="not($kind) and f:class/f:code">unknown_code_system</xsl:when>
        <xsl:when test="not($kind)">no_code</xsl:when>
        <xsl:when test="$start = ''">no_date</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Encounter" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="where" select="f:location[1]/f:location"/>
        <xsl:variable name="place" select="((key('resource', string($where/f:reference/@value)))[1] | (key('resource', concat(generate-id(), $where/f:reference/@value)))[1])[self::f:Location][1]"/>
        <xsl:variable name="house" select="((key('resource', string(f:serviceProvider/f:reference/@value)))[1] | (key('resource', concat(generate-id(), f:serviceProvider/f:reference/@value)))[1])[self::f:Organization][1]"/>
        <Model name="Encounter" visit="{generate-id()}">
          <xsl:call-template name="identity"/>
          <Field name="startDate"><xsl:value-of select="$start"/></Field>
          <Field name="endDate"><xsl:call-template name="time"><xsl:with-param name="value" select="f:period/f:end/@value"/></xsl:call-template></Field>
          <xsl:call-template name="listed">
            <xsl:with-param name="field" select="'encounterType'"/>
            <xsl:with-param name="code" select="$kind"/>
            <xsl:with-param name="system" select="concat($list-uri, 'EncounterType#')"/>
          </xsl:call-template>
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

  <!-- The three columns of a coding found in the document. -->
  <xsl:template name="coded">
    <xsl:param name="field"/>
    <xsl:param name="code"/>
    <xsl:param name="system"/>
    <xsl:if test="$code">
      <Field name="{$field}_identifier">
        <!-- CVX codes have two digits at least -->
        <xsl:if test="$system = $cvx-uri and string-length($code/f:code/@value) = 1">0</xsl:if>
        <xsl:value-of select="$code/f:code/@value"/>
      </Field>
      <Field name="{$field}_title">
        <xsl:call-template name="title">
          <xsl:with-param name="code" select="$code"/>
          <xsl:with-param name="concept" select="$code/.."/>
        </xsl:call-template>
      </Field>
      <Field name="{$field}_system"><xsl:value-of select="$system"/></Field>
    </xsl:if>
  </xsl:template>

  <!-- The three columns of a word of the model's vocabulary. -->
  <xsl:template name="listed">
    <xsl:param name="field"/>
    <xsl:param name="code"/>
    <xsl:param name="system"/>
    <Field name="{$field}_identifier"><xsl:value-of select="$code"/></Field>
    <Field name="{$field}_title"><xsl:value-of select="$terms[@code = $code]/@title"/></Field>
    <Field name="{$field}_system"><xsl:value-of select="$system"/></Field>
  </xsl:template>

  <!-- The coding's own name, else the words of the concept, else another coding's name, else the code. -->
  <xsl:template name="title">
    <xsl:param name="code"/>
    <xsl:param name="concept"/>
    <xsl:choose>
      <xsl:when test="normalize-space($code/f:display/@value)"><xsl:value-of select="$code/f:display/@value"/></xsl:when>
      <xsl:when test="normalize-space($concept/f:text/@value)"><xsl:value-of select="$concept/f:text/@value"/></xsl:when>
      <xsl:when test="$concept/f:coding[normalize-space(f:display/@value)]"><xsl:value-of select="$concept/f:coding[normalize-space(f:display/@value)][1]/f:display/@value"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="$code/f:code/@value"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="no-code">
    <xsl:param name="concept"/>
    <xsl:choose>
      <xsl:when test="$concept/f:coding/f:code/@value[. != '']">unknown_code_system</xsl:when>
      <xsl:otherwise>no_code</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A history, or a careless sender, has one resource several times; the first one counts. -->
  <xsl:template name="identity">
    <xsl:param name="part"/>
    <xsl:param name="alone" select="generate-id()"/>
    <xsl:variable name="url" select="../../f:fullUrl/@value"/>
    <xsl:attribute name="same">
      <xsl:choose>
        <xsl:when test="$url"><xsl:value-of select="$url"/></xsl:when>
        <xsl:when test="f:id/@value"><xsl:value-of select="concat(local-name(), '/', f:id/@value)"/></xsl:when>
        <!-- Without an identity it repeats nothing; no URL holds a space. -->
        <xsl:otherwise><xsl:value-of select="concat(' ', $alone)"/></xsl:otherwise>
      </xsl:choose>
      <xsl:value-of select="concat('|', $part)"/>
    </xsl:attribute>
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

  <!-- The UCUM code, else the unit as people write it. -->
  <xsl:template match="*" mode="unit">
    <xsl:choose>
      <xsl:when test="f:code/@value and (f:system/@value = 'http://unitsofmeasure.org' or not(f:unit))"><xsl:value-of select="f:code/@value"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="f:unit/@value"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="notes">
    <xsl:for-each select="f:note/f:text[normalize-space(@value)]">
      <xsl:if test="position() > 1"><xsl:text> </xsl:text></xsl:if>
      <xsl:value-of select="@value"/>
    </xsl:for-each>
  </xsl:template>

  <!-- A missing month or day is the first one; a fraction is cut to microseconds; a leap second is the one before. Years
       outside 1800 to 2199 are fillers such as 0001 or 9999: no date. So is what is no date at all. -->
  <xsl:template name="time">
    <xsl:param name="value"/>
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
      <xsl:value-of select="$day"/>
      <xsl:if test="string-length($clock) &gt;= 8 and substring($clock, 1, 2) &lt; 24 and substring($clock, 4, 2) &lt; 60 and substring($clock, 7, 2) &lt;= 60">
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

  <!-- A reference to a Practitioner or a PractitionerRole; when nothing stands there, its display. -->
  <xsl:template match="*" mode="provider">
    <xsl:variable name="around" select="generate-id(ancestor::*[parent::f:resource][1])"/>
    <xsl:variable name="direct" select="((key('resource', string(f:reference/@value)))[1] | (key('resource', concat($around, f:reference/@value)))[1])[1]"/>
    <xsl:variable name="behind" select="$direct[self::f:PractitionerRole]/f:practitioner/f:reference/@value"/>
    <xsl:variable name="who" select="($direct | (key('resource', string($behind)))[1] | (key('resource', concat($around, $behind)))[1])[self::f:Practitioner][1]"/>
    <xsl:variable name="told" select="(f:display | $direct[self::f:PractitionerRole]/f:practitioner/f:display)[1]/@value"/>
    <xsl:if test="not($who)"><Field name="provider_name_family"><xsl:value-of select="$told"/></Field></xsl:if>
    <xsl:for-each select="$who">
      <Field name="provider_npi_number"><xsl:value-of select="f:identifier[f:system/@value = 'http://hl7.org/fhir/sid/us-npi']/f:value/@value"/></Field>
      <Field name="provider_dea_number"><xsl:value-of select="f:identifier[f:system/@value = 'http://terminology.hl7.org/NamingSystem/USDEANumber' or f:system/@value = 'urn:oid:2.16.840.1.113883.4.814']/f:value/@value"/></Field>
      <xsl:for-each select="f:name[1]"><xsl:call-template name="person"><xsl:with-param name="field" select="'provider_name'"/></xsl:call-template></xsl:for-each>
      <xsl:apply-templates select="f:address[1]"><xsl:with-param name="field" select="'provider_adr'"/></xsl:apply-templates>
      <xsl:for-each select="f:telecom[f:system/@value = 'phone'][f:value/@value][position() &lt;= 2]">
        <Field name="provider_tel_{position()}_number"><xsl:value-of select="f:value/@value"/></Field>
        <Field name="provider_tel_{position()}_type"><xsl:value-of select="concat(substring('h', 1, f:use/@value = 'home'), substring('w', 1, f:use/@value = 'work'), substring('c', 1, f:use/@value = 'mobile'))"/></Field>
      </xsl:for-each>
      <xsl:variable name="mail" select="f:telecom[f:system/@value = 'email']/f:value/@value"/>
      <xsl:if test="normalize-space($mail) = string($mail) and not(contains($mail, ' ')) and substring-before($mail, '@') != '' and substring-after($mail, '@') != '' and not(contains(substring-after($mail, '@'), '@'))">
        <Field name="provider_email"><xsl:value-of select="$mail"/></Field>
      </xsl:if>
      <Field name="provider_gender"><xsl:value-of select="concat(substring('m', 1, f:gender/@value = 'male'), substring('f', 1, f:gender/@value = 'female'))"/></Field>
      <xsl:if test="string-length(f:birthDate/@value) = 10">
        <Field name="provider_bday"><xsl:call-template name="time"><xsl:with-param name="value" select="f:birthDate/@value"/></xsl:call-template></Field>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- ============================================================ drafts to facts -->

  <xsl:template match="Model" mode="tidy">
    <Model name="{@name}"><xsl:apply-templates select="Field" mode="tidy"/></Model>
  </xsl:template>

  <xsl:template match="Field[Models]" mode="tidy">
    <Field name="{@name}"><Models><xsl:apply-templates select="Models/Model" mode="tidy"/></Models></Field>
  </xsl:template>

  <!-- No column is shorter than 12. -->
  <xsl:template match="Field" mode="tidy">
    <xsl:variable name="value" select="normalize-space()"/>
    <xsl:choose>
      <xsl:when test="$value = ''"/>
      <xsl:when test="string-length($value) &lt;= 12"><Field name="{@name}"><xsl:value-of select="$value"/></Field></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="column" select="concat(../@name, '.', @name)"/>
        <xsl:variable name="row" select="$columns[@name = $column]"/>
        <xsl:variable name="max" select="number(concat($row/@max, substring('255', 1, 3 * not($row))))"/>
        <xsl:choose>
          <xsl:when test="$max = 0 or string-length($value) &lt;= $max"><Field name="{@name}"><xsl:value-of select="$value"/></Field></xsl:when>
          <xsl:when test="not($row/@drop)"><Field name="{@name}"><xsl:value-of select="concat(substring($value, 1, $max - 3), '...')"/></Field></xsl:when>
        </xsl:choose>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The first reading of a group stands for all of it; of two for one column the first counts. An encounter is one fact: it
       goes with the first group that names it. -->
  <xsl:template match="Reading" mode="tidy">
    <xsl:variable name="readings" select="key('group', @same)"/>
    <Model name="VitalSigns">
      <Field name="date"><xsl:value-of select="@date"/></Field>
      <xsl:if test="@encounter and generate-id() = generate-id((key('taken-in', @encounter))[1])">
        <xsl:for-each select="key('visit', @encounter)[generate-id() = generate-id((key('same', @same))[1])]">
          <Field name="encounter"><xsl:apply-templates select="." mode="tidy"/></Field>
        </xsl:for-each>
      </xsl:if>
      <xsl:for-each select="set:distinct($readings/@column)">
        <Field name="{.}_value"><xsl:value-of select="../@value"/></Field>
        <Field name="{.}_unit"><xsl:value-of select="../@unit"/></Field>
        <Field name="{.}_name_identifier"><xsl:value-of select="../@code"/></Field>
        <Field name="{.}_name_title"><xsl:value-of select="../@title"/></Field>
        <Field name="{.}_name_system"><xsl:value-of select="$loinc-uri"/></Field>
      </xsl:for-each>
      <xsl:if test="$readings/@position[. != '']">
        <xsl:call-template name="listed">
          <xsl:with-param name="field" select="'bp_position'"/>
          <xsl:with-param name="code" select="$readings/@position[. != '']"/>
          <xsl:with-param name="system" select="$snomed-uri"/>
        </xsl:call-template>
      </xsl:if>
      <xsl:if test="$readings/@site[. != '']">
        <xsl:call-template name="listed">
          <xsl:with-param name="field" select="'bp_site'"/>
          <xsl:with-param name="code" select="$readings/@site[. != '']"/>
          <xsl:with-param name="system" select="$snomed-uri"/>
        </xsl:call-template>
      </xsl:if>
      <xsl:if test="$readings/@method[. != '']">
        <xsl:call-template name="listed">
          <xsl:with-param name="field" select="'bp_method'"/>
          <xsl:with-param name="code" select="$readings/@method[. != '']"/>
          <xsl:with-param name="system" select="concat($list-uri, 'BloodPressureMethod#')"/>
        </xsl:call-template>
      </xsl:if>
    </Model>
  </xsl:template>
</xsl:stylesheet>
