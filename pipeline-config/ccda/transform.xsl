<?xml version="1.0" encoding="UTF-8"?>
<!--
  C-CDA R2.1 to facts. Three steps:
    1. every entry becomes a draft: a Model, a Reading (one vital sign) or a LeftOut with its reason;
    2. readings of one time and organizer are gathered into one VitalSigns, repeated drafts are set aside;
    3. fields are trimmed, cut to the length of their column and left away when empty; LeftOut is counted.
  What maps to what is in the tables below; README.md says it in words.
-->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:h="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                xmlns:exsl="http://exslt.org/common" xmlns:set="http://exslt.org/sets" exclude-result-prefixes="h xsi exsl set">
  <xsl:output method="xml" encoding="UTF-8"/>

  <!-- Narrative that entries point at. -->
  <xsl:key name="narrative" match="*[@ID]" use="@ID"/>
  <xsl:key name="encounter-id" match="h:encounter/h:id" use="concat(@root, '|', @extension)"/>
  <!-- Over the drafts. -->
  <xsl:key name="group" match="Reading" use="@same"/>
  <xsl:key name="left-out" match="LeftOut" use="@what"/>

  <!-- Code systems: OIDs of documents, URIs of the models. -->
  <xsl:variable name="snomed" select="'2.16.840.1.113883.6.96'"/>
  <xsl:variable name="rxnorm" select="'2.16.840.1.113883.6.88'"/>
  <xsl:variable name="loinc" select="'2.16.840.1.113883.6.1'"/>
  <xsl:variable name="cvx" select="'2.16.840.1.113883.12.292'"/>
  <xsl:variable name="cvx-old" select="'2.16.840.1.113883.6.59'"/>
  <xsl:variable name="ndfrt" select="'2.16.840.1.113883.3.26.1.5'"/>
  <xsl:variable name="unii" select="'2.16.840.1.113883.4.9'"/>
  <xsl:variable name="cpt" select="'2.16.840.1.113883.6.12'"/>
  <xsl:variable name="act-code" select="'2.16.840.1.113883.5.4'"/>
  <xsl:variable name="snomed-uri" select="'http://purl.bioontology.org/ontology/SNOMEDCT/'"/>
  <xsl:variable name="rxnorm-uri" select="'http://purl.bioontology.org/ontology/RXNORM/'"/>
  <xsl:variable name="loinc-uri" select="'http://purl.bioontology.org/ontology/LNC/'"/>
  <xsl:variable name="ndfrt-uri" select="'http://purl.bioontology.org/ontology/NDFRT/'"/>
  <xsl:variable name="unii-uri" select="'http://fda.gov/UNII/'"/>
  <xsl:variable name="cvx-uri" select="'http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#'"/>
  <xsl:variable name="list-uri" select="'http://smartplatforms.org/terms/codes/'"/>
  <xsl:variable name="digits" select="'0123456789'"/>

  <xsl:variable name="tables" select="exsl:node-set($table-rows)"/>
  <!-- Those asked most. -->
  <xsl:variable name="statements" select="$tables/statement"/>
  <xsl:variable name="columns" select="$tables/column"/>
  <xsl:variable name="terms" select="$tables/term"/>
  <xsl:variable name="vitals" select="$tables/vital"/>
  <xsl:variable name="units" select="$tables/unit"/>
  <xsl:variable name="table-rows">
    <!-- What a statement is, by its template (any version): the root after 2.16.840.1.113883.10.20.22.4. -->
    <statement template="3" kind="Problem"/>
    <statement template="4" kind="Problem"/>
    <statement template="33" kind="Problem"/>
    <statement template="34" kind="Problem"/>
    <statement template="51" kind="Problem"/>
    <statement template="65" kind="Problem"/>
    <statement template="80" kind="Problem"/>
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
    <statement template="12" kind="Procedure"/>
    <statement template="13" kind="Procedure"/>
    <statement template="14" kind="Procedure"/>
    <statement template="49" kind="Encounter"/>

    <!-- What stands in a section, by its template (the root after 2.16.840.1.113883.10.20.22.2., without the .1 of
         "entries required") or its LOINC code. Kinds without a model name what was left out. -->
    <section template="5" code="11450-4" kind="Problem"/>
    <section template="20" code="11348-0" kind="Problem"/>
    <section template="24" code="11535-2" kind="Problem"/>
    <section template="43" code="46241-6" kind="Problem"/>
    <section template="34" code="10219-4" kind="Problem"/>
    <section template="35" code="10218-6" kind="Problem"/>
    <section template="6" code="48765-2" kind="Allergy"/>
    <section template="1" code="10160-0" kind="Medication"/>
    <section template="11" code="10183-2" kind="Medication"/>
    <section template="11" code="75311-1" kind="Medication"/>
    <section template="44" code="42346-7" kind="Medication"/>
    <section template="38" code="29549-3" kind="Medication" given="administration"/>
    <section template="2" code="11369-6" kind="Immunization"/>
    <section template="3" code="30954-2" kind="LabResult"/>
    <section template="4" code="8716-3" kind="VitalSigns"/>
    <section template="7" code="47519-4" kind="Procedure"/>
    <section template="22" code="46240-8" kind="Encounter"/>
    <section template="17" code="29762-2" kind="SocialHistory"/>
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
    <term code="administration" title="Administration"/>
    <term code="doseGiven" title="Dose given"/>
    <term code="notAdministered" title="Not administered"/>
    <term code="documentedImmunityOrPreviousDisease" title="Documented immunity or previous disease"/>
    <term code="contraindicated" title="Contraindicated"/>
    <term code="vaccineUnavailable" title="Vaccine unavailable"/>
    <term code="patientOrParentRefused" title="Patient or parent refused"/>

    <!-- Kind of allergy: `to` says it by itself, `drug` only when the allergen is coded as a drug, `none` is meant when
         the statement is negated and names no allergen. A propensity that is not called an allergy counts as intolerance. -->
    <category from="416098002" to="416098002" none="409137002"/>
    <category from="414285001" to="414285001" none="429625007"/>
    <category from="426232007" to="426232007" none="428607008"/>
    <category from="59037007" to="59037007" none="409137002"/>
    <category from="235719002" to="235719002" none="429625007"/>
    <category from="419511003" to="59037007" none="409137002"/>
    <category from="418471000" to="235719002" none="429625007"/>
    <category from="419199007" drug="416098002" none="160244002"/>
    <category from="418038007" drug="59037007" none="160244002"/>
    <category from="420134006" drug="59037007" none="160244002"/>
    <category from="282100009" drug="59037007" none="160244002"/>
    <exclusion from="160244002" to="160244002"/>
    <exclusion from="716186003" to="160244002"/>
    <exclusion from="409137002" to="409137002"/>
    <exclusion from="429625007" to="429625007"/>
    <exclusion from="428607008" to="428607008"/>
    <!-- Allergens that name nothing in particular. -->
    <anything code="105590001"/>
    <anything code="410942007"/>
    <anything code="762766007"/>
    <anything code="255620007"/>
    <!-- Degrees between two of the model's count as the higher one. -->
    <severity from="255604002" to="255604002"/>
    <severity from="371923003" to="6736007"/>
    <severity from="6736007" to="6736007"/>
    <severity from="371924009" to="24484000"/>
    <severity from="24484000" to="24484000"/>
    <severity from="442452003" to="442452003"/>
    <severity from="399166001" to="399166001"/>

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

    <!-- Kinds of encounter: ActEncounterCode, a few SNOMED codes, ranges of CPT. -->
    <visit system="2.16.840.1.113883.5.4" code="AMB" to="ambulatory"/>
    <visit system="2.16.840.1.113883.5.4" code="EMER" to="emergency"/>
    <visit system="2.16.840.1.113883.5.4" code="FLD" to="field"/>
    <visit system="2.16.840.1.113883.5.4" code="HH" to="home"/>
    <visit system="2.16.840.1.113883.5.4" code="IMP" to="inpatient"/>
    <visit system="2.16.840.1.113883.5.4" code="ACUTE" to="inpatient"/>
    <visit system="2.16.840.1.113883.5.4" code="NONAC" to="inpatient"/>
    <visit system="2.16.840.1.113883.5.4" code="SS" to="inpatient"/>
    <visit system="2.16.840.1.113883.5.4" code="VR" to="virtual"/>
    <visit system="2.16.840.1.113883.6.96" code="4525004" to="emergency"/>
    <visit system="2.16.840.1.113883.6.96" code="50849002" to="emergency"/>
    <visit system="2.16.840.1.113883.6.96" code="32485007" to="inpatient"/>
    <visit system="2.16.840.1.113883.6.96" code="183452005" to="inpatient"/>
    <visit system="2.16.840.1.113883.6.96" code="439708006" to="home"/>
    <visit system="2.16.840.1.113883.6.96" code="185317003" to="virtual"/>
    <visit system="2.16.840.1.113883.6.96" code="448337001" to="virtual"/>
    <visits first="99201" last="99215" to="ambulatory"/>
    <visits first="99221" last="99239" to="inpatient"/>
    <visits first="99241" last="99245" to="ambulatory"/>
    <visits first="99251" last="99255" to="inpatient"/>
    <visits first="99281" last="99288" to="emergency"/>
    <visits first="99341" last="99350" to="home"/>
    <visits first="99381" last="99397" to="ambulatory"/>
    <visits first="99421" last="99423" to="virtual"/>
    <visits first="99441" last="99443" to="virtual"/>

    <!-- Procedures take any code system; these have a well-known URI, the others are written as urn:oid. -->
    <system oid="2.16.840.1.113883.6.96" uri="http://purl.bioontology.org/ontology/SNOMEDCT/"/>
    <system oid="2.16.840.1.113883.6.1" uri="http://purl.bioontology.org/ontology/LNC/"/>
    <system oid="2.16.840.1.113883.6.12" uri="http://purl.bioontology.org/ontology/CPT/"/>
    <system oid="2.16.840.1.113883.6.4" uri="http://purl.bioontology.org/ontology/ICD10PCS/"/>
    <system oid="2.16.840.1.113883.6.285" uri="http://purl.bioontology.org/ontology/HCPCS/"/>

    <!-- Dose units of the NCI Thesaurus. -->
    <dose from="C48542" to="{{tablet}}"/>
    <dose from="C48480" to="{{capsule}}"/>
    <!-- What happens once a day (TimingEvent). -->
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

  <!-- ============================================================ the whole document -->

  <xsl:template match="/h:ClinicalDocument">
    <xsl:variable name="drafts">
      <xsl:apply-templates select="h:component/h:structuredBody/h:component/h:section"/>
      <xsl:if test="h:component/h:nonXMLBody"><LeftOut model="ClinicalDocument" reason="not_structured"/></xsl:if>
      <xsl:apply-templates select="h:componentOf/h:encompassingEncounter[not(@nullFlavor)]" mode="Encounter"/>
    </xsl:variable>
    <xsl:variable name="left-out">
      <xsl:for-each select="exsl:node-set($drafts)/LeftOut"><LeftOut what="{@model}|{@reason}"><xsl:copy-of select="@*"/></LeftOut></xsl:for-each>
    </xsl:variable>
    <Models>
      <!-- distinct() keeps the first of equal values, in time that grows with their number only. -->
      <xsl:for-each select="exsl:node-set($drafts)">
        <xsl:for-each select="set:distinct(*/@same)"><xsl:apply-templates mode="tidy" select=".."/></xsl:for-each>
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

  <!-- The section's template decides before its code. Text without entries is one thing left out. -->
  <xsl:template match="h:section">
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
      <xsl:if test="not($row)">OtherSection</xsl:if>
    </xsl:variable>
    <xsl:apply-templates select="h:entry">
      <xsl:with-param name="section-kind" select="string($kind)"/>
      <xsl:with-param name="given" select="string($row[1]/@given)"/>
    </xsl:apply-templates>
    <xsl:if test="not(h:entry) and not(@nullFlavor) and normalize-space(h:text)">
      <LeftOut model="{$kind}" reason="narrative_only"/>
    </xsl:if>
    <xsl:apply-templates select="h:component/h:section"/>
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
    </xsl:variable>
    <xsl:variable name="own" select="substring-before(concat(normalize-space($by-template), ' '), ' ')"/>
    <xsl:variable name="kind" select="concat($own, substring($section-kind, 1, string-length($section-kind) * ($own = '')))"/>
    <xsl:choose>
      <xsl:when test="not($statement) or @nullFlavor or $statement/@nullFlavor"><LeftOut model="{$kind}" reason="no_information"/></xsl:when>
      <xsl:when test="$statement/h:subject or ../h:subject"><LeftOut model="{$kind}" reason="other_person"/></xsl:when>
      <xsl:when test="$kind = 'Problem'"><xsl:apply-templates select="$statement" mode="Problem"/></xsl:when>
      <xsl:when test="$kind = 'Allergy'"><xsl:apply-templates select="$statement" mode="Allergy"/></xsl:when>
      <xsl:when test="$kind = 'Medication'">
        <xsl:apply-templates select="$statement" mode="Medication"><xsl:with-param name="given" select="$given"/></xsl:apply-templates>
      </xsl:when>
      <xsl:when test="$kind = 'Immunization'"><xsl:apply-templates select="$statement" mode="Immunization"/></xsl:when>
      <xsl:when test="$kind = 'LabResult'"><xsl:apply-templates select="$statement" mode="LabResult"/></xsl:when>
      <xsl:when test="$kind = 'VitalSigns'"><xsl:apply-templates select="$statement" mode="VitalSigns"/></xsl:when>
      <xsl:when test="$kind = 'Procedure'"><xsl:apply-templates select="$statement" mode="Procedure"/></xsl:when>
      <xsl:when test="$kind = 'Encounter'"><xsl:apply-templates select="$statement" mode="Encounter"/></xsl:when>
      <xsl:otherwise><LeftOut model="{$kind}" reason="not_supported"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Why a statement is no fact, whatever it is about; empty when nothing speaks against it. -->
  <xsl:template match="*" mode="why">
    <xsl:param name="negated-too" select="false()"/>
    <xsl:param name="intended-too" select="false()"/>
    <xsl:param name="aborted-too" select="false()"/>
    <xsl:variable name="status" select="h:statusCode/@code"/>
    <xsl:choose>
      <xsl:when test="@nullFlavor">no_information</xsl:when>
      <xsl:when test="h:subject">other_person</xsl:when>
      <xsl:when test="@negationInd = 'true' and not($negated-too)">negated</xsl:when>
      <xsl:when test="$status = 'nullified' or $status = 'cancelled' or $status = 'obsolete'">cancelled</xsl:when>
      <xsl:when test="$status = 'aborted' and not($aborted-too)">cancelled</xsl:when>
      <xsl:when test="@moodCode and @moodCode != 'EVN' and not($intended-too and (@moodCode = 'INT' or @moodCode = 'RQO'))">planned</xsl:when>
    </xsl:choose>
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

  <xsl:template match="h:observation" mode="Problem">
    <xsl:variable name="coded" select="h:value | h:value/h:translation"/>
    <xsl:variable name="code" select="$coded[@codeSystem = $snomed][@code != ''][translate(@code, $digits, '') = '']"/>
    <xsl:variable name="onset">
      <xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[1]"/></xsl:call-template>
    </xsl:variable>
    <!-- Without an onset, the time since when somebody keeps track of the problem. -->
    <xsl:variable name="tracked">
      <xsl:for-each select="ancestor::h:act[1]/h:effectiveTime">
        <xsl:call-template name="time"><xsl:with-param name="ts" select="(@value | h:low/@value)[1]"/></xsl:call-template>
      </xsl:for-each>
    </xsl:variable>
    <xsl:variable name="start" select="concat($onset, substring($tracked, 1, string-length($tracked) * ($onset = '')))"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <!-- "No current problems or disability" -->
        <xsl:when test="$code/@code = '160245001'">negated</xsl:when>
        <xsl:when test="not($code)"><xsl:call-template name="no-code"><xsl:with-param name="coded" select="$coded"/></xsl:call-template></xsl:when>
        <xsl:when test="$start = ''">no_date</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Problem" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <Model name="Problem">
          <xsl:call-template name="identity"><xsl:with-param name="about" select="concat('Problem|', $code[1]/@code, '|', $start)"/></xsl:call-template>
          <xsl:call-template name="coded">
            <xsl:with-param name="field" select="'name'"/>
            <xsl:with-param name="code" select="$code[1]"/>
            <xsl:with-param name="whole" select="h:value[1]"/>
            <xsl:with-param name="system" select="$snomed-uri"/>
          </xsl:call-template>
          <Field name="startDate"><xsl:value-of select="$start"/></Field>
          <Field name="endDate"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/h:high/@value"/></xsl:call-template></Field>
          <Field name="notes">
            <xsl:apply-templates select="." mode="comments"/>
            <xsl:if test="$onset = ''"> Onset not stated; the start is when the problem was first tracked.</xsl:if>
          </Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ allergies -->

  <xsl:template match="*" mode="Allergy"><LeftOut model="Allergy" reason="not_supported"/></xsl:template>

  <xsl:template match="h:act | h:organizer" mode="Allergy">
    <xsl:variable name="links" select="h:component | h:entryRelationship[not(@typeCode) or @typeCode = 'SUBJ' or @typeCode = 'COMP']"/>
    <xsl:variable name="parts" select="$links/h:observation | $links/h:organizer | $links/h:act[h:entryRelationship]"/>
    <xsl:choose>
      <xsl:when test="@nullFlavor"><LeftOut model="Allergy" reason="no_information"/></xsl:when>
      <xsl:when test="not($parts)"><LeftOut model="Allergy" reason="not_supported"/></xsl:when>
      <xsl:otherwise><xsl:apply-templates select="$parts" mode="Allergy"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="h:observation" mode="Allergy">
    <!-- Earlier releases have the kind in code and a general word in value. -->
    <xsl:variable name="kinds" select="(h:code | h:value | h:value/h:translation)[@codeSystem = $snomed]/@code"/>
    <xsl:variable name="row" select="$tables/category[@from = $kinds][1]"/>
    <xsl:variable name="allergens" select="h:participant[not(@typeCode) or @typeCode = 'CSM']/h:participantRole/h:playingEntity/h:code"/>
    <xsl:variable name="allergen" select="$allergens | $allergens/h:translation"/>
    <xsl:variable name="specific" select="$allergen[@code != ''][not(@code = $tables/anything/@code)]"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"><xsl:with-param name="negated-too" select="true()"/></xsl:apply-templates></xsl:variable>
    <!-- Nothing known: said outright, or by negating a kind of allergy that names no allergen. -->
    <xsl:variable name="exclusion">
      <xsl:choose>
        <xsl:when test="@negationInd = 'true' and not($specific)"><xsl:value-of select="$row/@none"/></xsl:when>
        <xsl:when test="@negationInd = 'true'"/>
        <xsl:otherwise><xsl:value-of select="$tables/exclusion[@from = $kinds or (@from = $allergen[@codeSystem = $snomed]/@code)][1]/@to"/></xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:variable name="state" select="h:entryRelationship/h:observation[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.28' or h:code/@code = '33999-4']/h:value/@code"/>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="Allergy" reason="{$general}"/></xsl:when>
      <xsl:when test="$exclusion != ''">
        <Model name="AllergyExclusion">
          <xsl:call-template name="identity"><xsl:with-param name="about" select="concat('AllergyExclusion|', $exclusion)"/></xsl:call-template>
          <xsl:call-template name="listed">
            <xsl:with-param name="field" select="'name'"/>
            <xsl:with-param name="code" select="$exclusion"/>
            <xsl:with-param name="system" select="$snomed-uri"/>
          </xsl:call-template>
        </Model>
      </xsl:when>
      <xsl:when test="@negationInd = 'true'"><LeftOut model="Allergy" reason="negated"/></xsl:when>
      <!-- Inactive or resolved: the model could only say that it still holds. -->
      <xsl:when test="$state = '73425007' or $state = '413322009' or h:effectiveTime/h:high/@value"><LeftOut model="Allergy" reason="inactive"/></xsl:when>
      <xsl:otherwise>
        <xsl:call-template name="allergy">
          <xsl:with-param name="row" select="$row"/>
          <xsl:with-param name="allergen" select="$allergen"/>
          <xsl:with-param name="specific" select="$specific"/>
        </xsl:call-template>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The model holds one reaction, so every reaction makes its own fact. -->
  <xsl:template name="allergy">
    <xsl:param name="row"/>
    <xsl:param name="allergen"/>
    <xsl:param name="specific"/>
    <xsl:variable name="drug" select="$specific[@codeSystem = $rxnorm][translate(@code, $digits, '') = '']"/>
    <xsl:variable name="class" select="$specific[@codeSystem = $ndfrt]"/>
    <xsl:variable name="food" select="$specific[@codeSystem = $unii]"/>
    <xsl:variable name="category">
      <xsl:value-of select="$row/@to"/>
      <xsl:if test="$drug or $class"><xsl:value-of select="$row/@drug"/></xsl:if>
    </xsl:variable>
    <xsl:variable name="reactions" select="h:entryRelationship[@typeCode = 'MFST' or h:observation/h:templateId/@root = '2.16.840.1.113883.10.20.22.4.9']
                                           /h:observation[not(@nullFlavor) and not(@negationInd = 'true')]"/>
    <xsl:choose>
      <xsl:when test="not($drug or $class or $food)">
        <xsl:variable name="why"><xsl:call-template name="no-code"><xsl:with-param name="coded" select="$allergen"/></xsl:call-template></xsl:variable>
        <LeftOut model="Allergy" reason="{$why}"/>
      </xsl:when>
      <xsl:when test="$category = ''"><LeftOut model="Allergy" reason="unknown_value"/></xsl:when>
      <xsl:when test="not($reactions)"><LeftOut model="Allergy" reason="no_reaction"/></xsl:when>
    </xsl:choose>
    <xsl:if test="($drug or $class or $food) and $category != ''">
      <xsl:variable name="allergy" select="."/>
      <xsl:for-each select="$reactions">
        <xsl:variable name="reaction" select="(h:value | h:value/h:translation)[@codeSystem = $snomed][@code != ''][translate(@code, $digits, '') = '']"/>
        <xsl:variable name="own-severity" select="$tables/severity[@from = current()/h:entryRelationship/h:observation[h:code/@code = 'SEV' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.8']/h:value/@code]/@to"/>
        <xsl:variable name="general-severity" select="$tables/severity[@from = $allergy/h:entryRelationship/h:observation[h:code/@code = 'SEV' or h:templateId/@root = '2.16.840.1.113883.10.20.22.4.8']/h:value/@code]/@to"/>
        <xsl:variable name="severity" select="$own-severity | $general-severity[not($own-severity)]"/>
        <xsl:choose>
          <xsl:when test="not($reaction)"><LeftOut model="Allergy" reason="no_reaction"/></xsl:when>
          <xsl:when test="not($severity)"><LeftOut model="Allergy" reason="no_severity"/></xsl:when>
          <xsl:otherwise>
            <xsl:variable name="reaction-value" select="h:value[1]"/>
            <Model name="Allergy">
              <xsl:variable name="alone" select="generate-id()"/>
              <xsl:for-each select="$allergy">
                <xsl:call-template name="identity">
                  <xsl:with-param name="alone" select="$alone"/>
                  <xsl:with-param name="about" select="concat('Allergy|', ($drug | $class | $food)[1]/@code, '|', $reaction[1]/@code)"/>
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
                <xsl:with-param name="whole" select="$reaction-value"/>
                <xsl:with-param name="system" select="$snomed-uri"/>
              </xsl:call-template>
              <xsl:call-template name="listed">
                <xsl:with-param name="field" select="'severity'"/>
                <xsl:with-param name="code" select="$severity[last()]"/>
                <xsl:with-param name="system" select="$snomed-uri"/>
              </xsl:call-template>
              <xsl:call-template name="coded">
                <xsl:with-param name="field" select="'drug_allergen'"/>
                <xsl:with-param name="code" select="$drug[1]"/>
                <xsl:with-param name="whole" select="$allergen[1]"/>
                <xsl:with-param name="system" select="$rxnorm-uri"/>
              </xsl:call-template>
              <xsl:call-template name="coded">
                <xsl:with-param name="field" select="'drug_class_allergen'"/>
                <xsl:with-param name="code" select="$class[1]"/>
                <xsl:with-param name="whole" select="$allergen[1]"/>
                <xsl:with-param name="system" select="$ndfrt-uri"/>
              </xsl:call-template>
              <xsl:call-template name="coded">
                <xsl:with-param name="field" select="'food_allergen'"/>
                <xsl:with-param name="code" select="$food[1]"/>
                <xsl:with-param name="whole" select="$allergen[1]"/>
                <xsl:with-param name="system" select="$unii-uri"/>
              </xsl:call-template>
            </Model>
          </xsl:otherwise>
        </xsl:choose>
      </xsl:for-each>
    </xsl:if>
  </xsl:template>

  <!-- ============================================================ medications -->

  <xsl:template match="*" mode="Medication"><LeftOut model="Medication" reason="not_supported"/></xsl:template>

  <xsl:template match="h:act | h:organizer" mode="Medication">
    <xsl:param name="given"/>
    <xsl:variable name="parts" select="(h:entryRelationship | h:component)/h:substanceAdministration"/>
    <xsl:apply-templates select="$parts" mode="Medication"><xsl:with-param name="given" select="$given"/></xsl:apply-templates>
    <xsl:if test="not($parts)"><LeftOut model="Medication" reason="not_supported"/></xsl:if>
  </xsl:template>

  <xsl:template match="h:substanceAdministration" mode="Medication">
    <xsl:param name="given"/>
    <xsl:variable name="product" select="h:consumable/h:manufacturedProduct/h:manufacturedMaterial/h:code"/>
    <xsl:variable name="coded" select="$product | $product/h:translation"/>
    <xsl:variable name="code" select="$coded[@codeSystem = $rxnorm][@code != ''][translate(@code, $digits, '') = '']"/>
    <xsl:variable name="course" select="h:effectiveTime[not(h:period) and not(h:event)][@value or h:low/@value or h:high/@value][1]"/>
    <xsl:variable name="start"><xsl:call-template name="time"><xsl:with-param name="ts" select="($course/@value | $course/h:low/@value)[1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="end"><xsl:call-template name="time"><xsl:with-param name="ts" select="$course/h:high/@value"/></xsl:call-template></xsl:variable>
    <xsl:variable name="fills" select="h:entryRelationship/h:supply[@moodCode = 'EVN']"/>
    <xsl:variable name="general">
      <xsl:apply-templates select="." mode="why">
        <xsl:with-param name="intended-too" select="true()"/>
        <xsl:with-param name="aborted-too" select="true()"/>
      </xsl:apply-templates>
    </xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="not($code)"><xsl:call-template name="no-code"><xsl:with-param name="coded" select="$coded"/></xsl:call-template></xsl:when>
        <xsl:when test="$start = ''">no_date</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''">
        <LeftOut model="Medication" reason="{$why}"/>
        <xsl:for-each select="$fills"><LeftOut model="Fill" reason="no_medication"/></xsl:for-each>
      </xsl:when>
      <xsl:otherwise>
        <xsl:variable name="filled"><xsl:apply-templates select="$fills" mode="Fill"/></xsl:variable>
        <Model name="Medication">
          <xsl:call-template name="identity"><xsl:with-param name="about" select="concat('Medication|', $code[1]/@code, '|', $start)"/></xsl:call-template>
          <xsl:call-template name="coded">
            <xsl:with-param name="field" select="'drugName'"/>
            <xsl:with-param name="code" select="$code[1]"/>
            <xsl:with-param name="whole" select="$product[1]"/>
            <xsl:with-param name="system" select="$rxnorm-uri"/>
          </xsl:call-template>
          <Field name="startDate"><xsl:value-of select="substring($start, 1, 10)"/></Field>
          <Field name="endDate"><xsl:value-of select="substring($end, 1, 10)"/></Field>
          <xsl:call-template name="frequency"/>
          <xsl:call-template name="dose"/>
          <Field name="instructions"><xsl:call-template name="instructions"/></Field>
          <xsl:variable name="provenance">
            <xsl:choose>
              <xsl:when test="@moodCode = 'INT' or @moodCode = 'RQO'">prescription</xsl:when>
              <xsl:otherwise><xsl:value-of select="$given"/></xsl:otherwise>
            </xsl:choose>
          </xsl:variable>
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

  <!-- Every 12 hours is 2 a day, every 2 days is 1 per two days. -->
  <xsl:template name="frequency">
    <xsl:variable name="period" select="(h:effectiveTime/h:period[@value])[1]"/>
    <xsl:variable name="every" select="number($period/@value)"/>
    <xsl:variable name="unit" select="$period/@unit"/>
    <xsl:choose>
      <xsl:when test="$every &gt; 0 and ($unit = 'h' or $unit = 'd' or $unit = 'wk' or $unit = 'mo' or $unit = 'min' or $unit = 'a')">
        <xsl:choose>
          <xsl:when test="$unit = 'h' and 24 mod $every = 0">
            <Field name="frequency_value"><xsl:value-of select="24 div $every"/></Field>
            <Field name="frequency_unit">/d</Field>
          </xsl:when>
          <xsl:when test="1 mod $every = 0">
            <Field name="frequency_value"><xsl:value-of select="1 div $every"/></Field>
            <Field name="frequency_unit"><xsl:value-of select="concat('/', $unit)"/></Field>
          </xsl:when>
          <xsl:when test="$unit = 'h' and $every mod 24 = 0">
            <Field name="frequency_value">1</Field>
            <Field name="frequency_unit"><xsl:value-of select="concat('/(', $every div 24, '.d)')"/></Field>
          </xsl:when>
          <xsl:when test="$every = floor($every)">
            <Field name="frequency_value">1</Field>
            <Field name="frequency_unit"><xsl:value-of select="concat('/(', $every, '.', $unit, ')')"/></Field>
          </xsl:when>
        </xsl:choose>
      </xsl:when>
      <xsl:when test="not($period) and h:effectiveTime/h:event/@code = $tables/daily/@event">
        <Field name="frequency_value">1</Field>
        <Field name="frequency_unit">/d</Field>
      </xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- A dose without a unit counts units of the product; a range of doses is in the instructions only. -->
  <xsl:template name="dose">
    <xsl:variable name="dose" select="h:doseQuantity[1]"/>
    <xsl:variable name="value" select="($dose/@value | $dose/h:low[@value = ../h:high/@value]/@value)[1]"/>
    <xsl:variable name="unit" select="($dose/@unit | $dose/h:low/@unit)[. != '1'][1]"/>
    <xsl:if test="number($value) &gt; 0">
      <Field name="quantity_value"><xsl:value-of select="$value"/></Field>
      <Field name="quantity_unit">
        <xsl:choose>
          <xsl:when test="$unit"><xsl:value-of select="$unit"/></xsl:when>
          <xsl:when test="$tables/dose/@from = h:administrationUnitCode/@code"><xsl:value-of select="$tables/dose[@from = current()/h:administrationUnitCode/@code]/@to"/></xsl:when>
          <xsl:otherwise>1</xsl:otherwise>
        </xsl:choose>
      </Field>
    </xsl:if>
  </xsl:template>

  <!-- The free-text sig, else an instruction to the patient, else the text of the entry. -->
  <xsl:template name="instructions">
    <xsl:variable name="sig"><xsl:apply-templates mode="text" select="h:entryRelationship/h:substanceAdministration[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.147']/h:text"/></xsl:variable>
    <xsl:variable name="instruction"><xsl:apply-templates mode="text" select="h:entryRelationship/h:act[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.20']/h:text"/></xsl:variable>
    <xsl:choose>
      <xsl:when test="normalize-space($sig)"><xsl:value-of select="$sig"/></xsl:when>
      <xsl:when test="normalize-space($instruction)"><xsl:value-of select="$instruction"/></xsl:when>
      <xsl:otherwise><xsl:apply-templates select="h:text" mode="text"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="h:supply" mode="Fill">
    <xsl:variable name="date"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="spans" select="h:expectedUseTime/h:width | h:entryRelationship/h:supply/h:quantity[@unit = 'd' or @unit = 'wk']"/>
    <xsl:variable name="span" select="$spans[@unit = 'd' or @unit = 'wk'][@value &gt;= 0 and @value &lt; 100000][1]"/>
    <xsl:variable name="days" select="number($span/@value) * (1 + 6 * ($span/@unit = 'wk'))"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="$date = ''">no_date</xsl:when>
        <xsl:when test="not($span)">no_days_supply</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Fill" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <Model name="Fill">
          <Field name="date"><xsl:value-of select="$date"/></Field>
          <Field name="dispenseDaysSupply"><xsl:value-of select="format-number($days, '0.######')"/></Field>
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
    <xsl:variable name="product" select="h:consumable/h:manufacturedProduct/h:manufacturedMaterial/h:code"/>
    <xsl:variable name="coded" select="$product | $product/h:translation"/>
    <xsl:variable name="code" select="$coded[@codeSystem = $cvx or @codeSystem = $cvx-old][@code != ''][translate(@code, $digits, '') = '']"/>
    <xsl:variable name="date"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="refused" select="@negationInd = 'true'"/>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"><xsl:with-param name="negated-too" select="true()"/></xsl:apply-templates></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="not($code)"><xsl:call-template name="no-code"><xsl:with-param name="coded" select="$coded"/></xsl:call-template></xsl:when>
        <xsl:when test="$date = ''">no_date</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Immunization" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <Model name="Immunization">
          <xsl:call-template name="identity"><xsl:with-param name="about" select="concat('Immunization|', $code[1]/@code, '|', $date)"/></xsl:call-template>
          <Field name="date"><xsl:value-of select="$date"/></Field>
          <xsl:call-template name="listed">
            <xsl:with-param name="field" select="'administration_status'"/>
            <xsl:with-param name="code" select="concat(substring('notAdministered', 1, 15 * $refused), substring('doseGiven', 1, 9 * not($refused)))"/>
            <xsl:with-param name="system" select="concat($list-uri, 'ImmunizationAdministrationStatus#')"/>
          </xsl:call-template>
          <xsl:call-template name="coded">
            <xsl:with-param name="field" select="'product_name'"/>
            <xsl:with-param name="code" select="$code[1]"/>
            <xsl:with-param name="whole" select="$product[1]"/>
            <xsl:with-param name="system" select="$cvx-uri"/>
          </xsl:call-template>
          <xsl:variable name="reason" select="$tables/refusal[@from = current()/h:entryRelationship[@typeCode = 'RSON']/h:observation/h:code/@code]/@to"/>
          <xsl:if test="$refused and $reason">
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

  <!-- ============================================================ laboratory results -->

  <xsl:template match="*" mode="LabResult"><LeftOut model="LabResult" reason="not_supported"/></xsl:template>

  <!-- A panel also holds how the specimen was taken; that is no result. -->
  <xsl:template match="h:act | h:organizer" mode="LabResult">
    <xsl:variable name="links" select="h:entryRelationship | h:component"/>
    <xsl:variable name="parts" select="$links/h:observation | $links/h:organizer"/>
    <xsl:variable name="why"><xsl:if test="h:statusCode/@code = 'nullified' or h:statusCode/@code = 'cancelled'">cancelled</xsl:if></xsl:variable>
    <xsl:choose>
      <xsl:when test="not($parts)"><LeftOut model="LabResult" reason="not_supported"/></xsl:when>
      <xsl:when test="$why != ''"><xsl:for-each select="$parts"><LeftOut model="LabResult" reason="cancelled"/></xsl:for-each></xsl:when>
      <xsl:otherwise><xsl:apply-templates select="$parts" mode="LabResult"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="h:observation" mode="LabResult">
    <xsl:variable name="coded" select="h:code | h:code/h:translation"/>
    <xsl:variable name="code" select="$coded[@codeSystem = $loinc][@code != '']"/>
    <xsl:variable name="result"><xsl:apply-templates select="h:value[not(@nullFlavor)][1]" mode="result"/></xsl:variable>
    <xsl:variable name="panel" select="ancestor::h:organizer[1]"/>
    <xsl:variable name="own-time"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="not($code)"><xsl:call-template name="no-code"><xsl:with-param name="coded" select="$coded"/></xsl:call-template></xsl:when>
        <xsl:when test="not(exsl:node-set($result)/Field[normalize-space()])">no_value</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="LabResult" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <Model name="LabResult">
          <xsl:call-template name="identity"><xsl:with-param name="about" select="concat('LabResult|', $code[1]/@code, '|', $own-time)"/></xsl:call-template>
          <xsl:call-template name="coded">
            <xsl:with-param name="field" select="'test_name'"/>
            <xsl:with-param name="code" select="$code[1]"/>
            <xsl:with-param name="whole" select="h:code[1]"/>
            <xsl:with-param name="system" select="$loinc-uri"/>
          </xsl:call-template>
          <xsl:copy-of select="$result"/>
          <xsl:call-template name="interpretation"/>
          <xsl:variable name="status" select="concat(substring('final', 1, 5 * (h:statusCode/@code = 'completed')), substring('preliminary', 1, 11 * (h:statusCode/@code = 'active')))"/>
          <xsl:if test="$status != ''">
            <xsl:call-template name="listed">
              <xsl:with-param name="field" select="'status'"/>
              <xsl:with-param name="code" select="$status"/>
              <xsl:with-param name="system" select="concat($list-uri, 'LabStatus#')"/>
            </xsl:call-template>
          </xsl:if>
          <Field name="collected_at">
            <xsl:value-of select="$own-time"/>
            <xsl:if test="$own-time = ''">
              <xsl:call-template name="time"><xsl:with-param name="ts" select="($panel/h:effectiveTime/@value | $panel/h:effectiveTime/h:low/@value)[1]"/></xsl:call-template>
            </xsl:if>
          </Field>
          <Field name="accession_number"><xsl:value-of select="(h:specimen | $panel/h:specimen)[last()]/h:specimenRole/h:id/@extension"/></Field>
          <xsl:variable name="range" select="h:referenceRange/h:observationRange[not(h:interpretationCode/@code) or h:interpretationCode/@code = 'N'][h:value/h:low/@value or h:value/h:high/@value][1]/h:value"/>
          <xsl:if test="$range">
            <Field name="quantitative_result_normal_range_min_value"><xsl:value-of select="$range/h:low/@value"/></Field>
            <Field name="quantitative_result_normal_range_min_unit"><xsl:value-of select="$range/h:low[@value]/@unit"/></Field>
            <Field name="quantitative_result_normal_range_max_value"><xsl:value-of select="$range/h:high/@value"/></Field>
            <Field name="quantitative_result_normal_range_max_unit"><xsl:value-of select="$range/h:high[@value]/@unit"/></Field>
          </xsl:if>
          <Field name="notes">
            <xsl:apply-templates select="." mode="comments"/>
            <xsl:if test="not($range)">
              <xsl:variable name="words"><xsl:apply-templates select="h:referenceRange[1]/h:observationRange/h:text" mode="text"/></xsl:variable>
              <xsl:if test="normalize-space($words)"><xsl:value-of select="concat(' Reference range: ', normalize-space($words))"/></xsl:if>
            </xsl:if>
          </Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A number with its unit, a bound such as "&lt;5", or words. -->
  <xsl:template match="h:value" mode="result">
    <xsl:variable name="text"><xsl:apply-templates select="." mode="text"/></xsl:variable>
    <xsl:choose>
      <xsl:when test="contains(@xsi:type, 'TS') and @value"><Field name="narrative_result"><xsl:call-template name="time"><xsl:with-param name="ts" select="@value"/></xsl:call-template></Field></xsl:when>
      <xsl:when test="@value and number(@value) = number(@value)">
        <Field name="quantitative_result_value_value"><xsl:value-of select="@value"/></Field>
        <Field name="quantitative_result_value_unit"><xsl:value-of select="@unit"/></Field>
      </xsl:when>
      <xsl:when test="@value"><Field name="narrative_result"><xsl:value-of select="@value"/></Field></xsl:when>
      <xsl:when test="h:low/@value and h:high/@value">
        <Field name="narrative_result"><xsl:value-of select="concat(h:low/@value, ' - ', h:high/@value, ' ', h:high/@unit)"/></Field>
      </xsl:when>
      <xsl:when test="h:low/@value">
        <Field name="quantitative_result_value_value">&gt;<xsl:if test="not(h:low/@inclusive = 'false')">=</xsl:if><xsl:value-of select="h:low/@value"/></Field>
        <Field name="quantitative_result_value_unit"><xsl:value-of select="h:low/@unit"/></Field>
      </xsl:when>
      <xsl:when test="h:high/@value">
        <Field name="quantitative_result_value_value">&lt;<xsl:if test="not(h:high/@inclusive = 'false')">=</xsl:if><xsl:value-of select="h:high/@value"/></Field>
        <Field name="quantitative_result_value_unit"><xsl:value-of select="h:high/@unit"/></Field>
      </xsl:when>
      <xsl:when test="h:numerator/@value and h:denominator/@value">
        <Field name="narrative_result"><xsl:value-of select="concat(h:numerator/@value, h:numerator/@unit, ':', h:denominator/@value, h:denominator/@unit)"/></Field>
      </xsl:when>
      <xsl:when test="@displayName"><Field name="narrative_result"><xsl:value-of select="@displayName"/></Field></xsl:when>
      <xsl:when test="h:originalText"><Field name="narrative_result"><xsl:apply-templates select="h:originalText[1]" mode="text"/></Field></xsl:when>
      <xsl:when test="@code"><Field name="narrative_result"><xsl:value-of select="@code"/></Field></xsl:when>
      <xsl:otherwise><Field name="narrative_result"><xsl:value-of select="$text"/></Field></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="interpretation">
    <xsl:variable name="found" select="$tables/interpretation[@from = current()/h:interpretationCode/@code]"/>
    <xsl:variable name="gravest" select="($found[@to = 'critical'] | $found[@to = 'abnormal'][not($found/@to = 'critical')] | $found[not($found/@to != 'normal')])[1]/@to"/>
    <xsl:if test="$gravest">
      <xsl:call-template name="listed">
        <xsl:with-param name="field" select="'abnormal_interpretation'"/>
        <xsl:with-param name="code" select="$gravest"/>
        <xsl:with-param name="system" select="concat($list-uri, 'LabResultInterpretation#')"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- ============================================================ vital signs -->

  <xsl:template match="*" mode="VitalSigns"><LeftOut model="VitalSigns" reason="not_supported"/></xsl:template>

  <xsl:template match="h:act | h:organizer" mode="VitalSigns">
    <xsl:variable name="links" select="h:entryRelationship | h:component"/>
    <xsl:variable name="parts" select="$links/h:observation | $links/h:organizer"/>
    <xsl:apply-templates select="$parts" mode="VitalSigns"/>
    <xsl:if test="not($parts)"><LeftOut model="VitalSigns" reason="not_supported"/></xsl:if>
  </xsl:template>

  <xsl:template match="h:observation" mode="VitalSigns">
    <xsl:variable name="coded" select="h:code | h:code/h:translation"/>
    <xsl:variable name="vital" select="($vitals[@from = $coded[@codeSystem = $loinc]/@code] | $vitals[@snomed = $coded[@codeSystem = $snomed]/@code])[1]"/>
    <xsl:variable name="number" select="number(h:value[not(@nullFlavor)]/@value)"/>
    <xsl:variable name="unit" select="$units[@column = $vital/@column][@from = current()/h:value/@unit]"/>
    <xsl:variable name="own-time"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="set" select="ancestor::h:organizer[1]"/>
    <xsl:variable name="time">
      <xsl:value-of select="$own-time"/>
      <xsl:if test="$own-time = ''">
        <xsl:call-template name="time"><xsl:with-param name="ts" select="($set/h:effectiveTime/@value | $set/h:effectiveTime/h:low/@value)[1]"/></xsl:call-template>
      </xsl:if>
    </xsl:variable>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="not($vital) and $coded[@codeSystem = $loinc]/@code">unknown_value</xsl:when>
        <xsl:when test="not($vital)"><xsl:call-template name="no-code"><xsl:with-param name="coded" select="$coded"/></xsl:call-template></xsl:when>
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
        <xsl:variable name="group" select="concat(generate-id((ancestor::h:section[1] | ancestor::h:organizer)[last()]), '|', $time)"/>
        <Reading same="readings|{$group}" slot="{$vital/@column}|{$group}" date="{$time}"
                 column="{$vital/@column}" code="{$vital/@to}" title="{$vital/@title}" unit="{$unit/@to}"
                 value="{format-number(($number - $minus) * $times div $by, '0.####')}">
          <xsl:if test="starts-with($vital/@column, 'bp_')">
            <xsl:attribute name="position"><xsl:value-of select="($vital/@position | $tables/position[@code = current()/h:methodCode/@code]/@code)[1]"/></xsl:attribute>
            <xsl:attribute name="site"><xsl:value-of select="$tables/site[@code = current()/h:targetSiteCode/@code]/@code"/></xsl:attribute>
            <xsl:attribute name="method"><xsl:value-of select="$tables/method[@from = current()/h:methodCode/@code]/@to"/></xsl:attribute>
          </xsl:if>
        </Reading>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ procedures -->

  <xsl:template match="*" mode="Procedure"><LeftOut model="Procedure" reason="not_supported"/></xsl:template>

  <xsl:template match="h:organizer | h:act[h:entryRelationship/h:procedure][not(h:templateId/@root = '2.16.840.1.113883.10.20.22.4.12')]" mode="Procedure">
    <xsl:variable name="links" select="h:component | h:entryRelationship"/>
    <xsl:variable name="parts" select="$links/h:procedure | h:component/h:act | h:component/h:observation | h:component/h:organizer"/>
    <xsl:apply-templates select="$parts" mode="Procedure"/>
    <xsl:if test="not($parts)"><LeftOut model="Procedure" reason="not_supported"/></xsl:if>
  </xsl:template>

  <!-- The model needs a name, not a code: words are enough. -->
  <xsl:template match="h:act[not(h:code/@code = '48767-8')] | h:observation | h:procedure" mode="Procedure">
    <xsl:variable name="coded" select="(h:code | h:code/h:translation)[@code != ''][@codeSystem != '']"/>
    <xsl:variable name="code" select="($coded[@codeSystem = $snomed] | $coded[not($coded/@codeSystem = $snomed)])[1]"/>
    <xsl:variable name="title">
      <xsl:call-template name="title">
        <xsl:with-param name="code" select="$code"/>
        <xsl:with-param name="whole" select="h:code[1]"/>
      </xsl:call-template>
    </xsl:variable>
    <xsl:variable name="date"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:choose>
      <xsl:when test="$general != ''"><LeftOut model="Procedure" reason="{$general}"/></xsl:when>
      <xsl:when test="normalize-space($title) = ''"><LeftOut model="Procedure" reason="no_code"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="uri" select="$tables/system[@oid = $code/@codeSystem]/@uri"/>
        <Model name="Procedure">
          <xsl:call-template name="identity"><xsl:with-param name="about" select="concat('Procedure|', $code/@code, '|', $date)"/></xsl:call-template>
          <Field name="date_performed"><xsl:value-of select="$date"/></Field>
          <Field name="name"><xsl:value-of select="$title"/></Field>
          <xsl:if test="$code">
            <Field name="name_type">
              <xsl:value-of select="$uri"/>
              <xsl:if test="not($uri)"><xsl:value-of select="concat('urn:oid:', $code/@codeSystem)"/></xsl:if>
            </Field>
            <Field name="name_value"><xsl:value-of select="$code/@code"/></Field>
          </xsl:if>
          <Field name="provider_name"><xsl:apply-templates select="(h:performer/h:assignedEntity/h:assignedPerson/h:name)[1]" mode="words"/></Field>
          <Field name="provider_institution"><xsl:value-of select="h:performer/h:assignedEntity/h:representedOrganization/h:name"/></Field>
          <Field name="location"><xsl:value-of select="h:participant[@typeCode = 'LOC']/h:participantRole/h:playingEntity/h:name"/></Field>
          <Field name="comments"><xsl:apply-templates select="." mode="comments"/></Field>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
    <!-- What was given during it. -->
    <xsl:apply-templates select="h:entryRelationship/h:substanceAdministration[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.16']" mode="Medication">
      <xsl:with-param name="given" select="'administration'"/>
    </xsl:apply-templates>
  </xsl:template>

  <!-- ============================================================ encounters -->

  <xsl:template match="*" mode="Encounter"><LeftOut model="Encounter" reason="not_supported"/></xsl:template>

  <xsl:template match="h:act | h:organizer" mode="Encounter">
    <xsl:variable name="parts" select="(h:entryRelationship | h:component)/h:encounter"/>
    <xsl:apply-templates select="$parts" mode="Encounter"/>
    <xsl:if test="not($parts)"><LeftOut model="Encounter" reason="not_supported"/></xsl:if>
  </xsl:template>

  <!-- An entry of the body, or the encounter of the header when the body has not got it. -->
  <xsl:template match="h:encounter | h:encompassingEncounter" mode="Encounter">
    <xsl:variable name="coded" select="h:code | h:code/h:translation"/>
    <xsl:variable name="billing" select="$coded[@codeSystem = $cpt]/@code"/>
    <xsl:variable name="by-class">
      <xsl:for-each select="$coded"><xsl:value-of select="concat($tables/visit[@system = current()/@codeSystem][@code = current()/@code]/@to, ' ')"/></xsl:for-each>
      <xsl:value-of select="$tables/visits[@first &lt;= $billing and @last &gt;= $billing]/@to"/>
    </xsl:variable>
    <xsl:variable name="kind" select="substring-before(concat(normalize-space($by-class), ' '), ' ')"/>
    <xsl:variable name="start"><xsl:call-template name="time"><xsl:with-param name="ts" select="(h:effectiveTime/@value | h:effectiveTime/h:low/@value)[1]"/></xsl:call-template></xsl:variable>
    <xsl:variable name="general"><xsl:apply-templates select="." mode="why"/></xsl:variable>
    <xsl:variable name="why">
      <xsl:choose>
        <xsl:when test="$general != ''"><xsl:value-of select="$general"/></xsl:when>
        <xsl:when test="self::h:encompassingEncounter and h:id[@root][key('encounter-id', concat(@root, '|', @extension))]">repeated</xsl:when>
        <xsl:when test="$kind = '' and ($coded[@codeSystem = $act-code or @codeSystem = $snomed]/@code or $billing)">unknown_value</xsl:when>
        <xsl:when test="$kind = ''"><xsl:call-template name="no-code"><xsl:with-param name="coded" select="$coded"/></xsl:call-template></xsl:when>
        <xsl:when test="$start = ''">no_date</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$why != ''"><LeftOut model="Encounter" reason="{$why}"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="place" select="(h:participant[@typeCode = 'LOC']/h:participantRole | h:location/h:healthCareFacility)[1]"/>
        <Model name="Encounter">
          <xsl:call-template name="identity"><xsl:with-param name="about" select="concat('Encounter|', $kind, '|', $start)"/></xsl:call-template>
          <Field name="startDate"><xsl:value-of select="$start"/></Field>
          <Field name="endDate"><xsl:call-template name="time"><xsl:with-param name="ts" select="h:effectiveTime/h:high/@value"/></xsl:call-template></Field>
          <xsl:call-template name="listed">
            <xsl:with-param name="field" select="'encounterType'"/>
            <xsl:with-param name="code" select="$kind"/>
            <xsl:with-param name="system" select="concat($list-uri, 'EncounterType#')"/>
          </xsl:call-template>
          <Field name="facility_name"><xsl:value-of select="($place/h:playingEntity/h:name | $place/h:location/h:name)[1]"/></Field>
          <xsl:apply-templates select="($place/h:addr | $place/h:location/h:addr)[1]"><xsl:with-param name="field" select="'facility_adr'"/></xsl:apply-templates>
          <xsl:apply-templates select="(h:performer/h:assignedEntity | h:responsibleParty/h:assignedEntity | h:encounterParticipant/h:assignedEntity)[1]" mode="provider"/>
        </Model>
      </xsl:otherwise>
    </xsl:choose>
    <!-- Encounter diagnoses are problems; those of the problem list are found to be repeated. -->
    <xsl:apply-templates select="h:entryRelationship/h:act[h:templateId/@root = '2.16.840.1.113883.10.20.22.4.80']" mode="Problem"/>
  </xsl:template>

  <!-- ============================================================ codes -->

  <!-- The three columns of a code found in the document. -->
  <xsl:template name="coded">
    <xsl:param name="field"/>
    <xsl:param name="code"/>
    <xsl:param name="whole"/>
    <xsl:param name="system"/>
    <xsl:if test="$code">
      <Field name="{$field}_identifier">
        <!-- CVX codes have two digits at least -->
        <xsl:if test="$system = $cvx-uri and string-length($code/@code) = 1">0</xsl:if>
        <xsl:value-of select="$code/@code"/>
      </Field>
      <Field name="{$field}_title">
        <xsl:call-template name="title">
          <xsl:with-param name="code" select="$code"/>
          <xsl:with-param name="whole" select="$whole"/>
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

  <!-- The name that the code comes with, else the names around it, else the code. -->
  <xsl:template name="title">
    <xsl:param name="code"/>
    <xsl:param name="whole"/>
    <xsl:variable name="original"><xsl:apply-templates select="$whole/h:originalText[1]" mode="text"/></xsl:variable>
    <xsl:choose>
      <xsl:when test="normalize-space($code/@displayName)"><xsl:value-of select="$code/@displayName"/></xsl:when>
      <xsl:when test="normalize-space($whole/@displayName)"><xsl:value-of select="$whole/@displayName"/></xsl:when>
      <xsl:when test="normalize-space($original)"><xsl:value-of select="$original"/></xsl:when>
      <xsl:when test="$whole/h:translation[normalize-space(@displayName)]"><xsl:value-of select="$whole/h:translation[normalize-space(@displayName)][1]/@displayName"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="$code/@code"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="no-code">
    <xsl:param name="coded"/>
    <xsl:choose>
      <xsl:when test="$coded/@code[. != '']">unknown_code_system</xsl:when>
      <xsl:otherwise>no_code</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The same instance may stand in several sections: its id, and what it says, must be the same. -->
  <xsl:template name="identity">
    <xsl:param name="about"/>
    <xsl:param name="alone" select="generate-id()"/>
    <xsl:variable name="id" select="h:id[@root][1]"/>
    <xsl:attribute name="same">
      <xsl:choose>
        <xsl:when test="$id"><xsl:value-of select="concat($id/@root, '|', $id/@extension, '|', $about)"/></xsl:when>
        <!-- Without an id it repeats nothing; no root holds a space. -->
        <xsl:otherwise><xsl:value-of select="concat(' ', $alone)"/></xsl:otherwise>
      </xsl:choose>
    </xsl:attribute>
  </xsl:template>

  <!-- ============================================================ texts, times, people -->

  <!-- Own words, else those of the narrative that the reference names (cells of a row are kept apart). -->
  <xsl:template match="*" mode="text">
    <xsl:choose>
      <xsl:when test="@representation = 'B64'"/>
      <xsl:when test="normalize-space()"><xsl:value-of select="normalize-space()"/></xsl:when>
      <xsl:otherwise>
        <xsl:for-each select="(key('narrative', substring-after(h:reference[1]/@value, '#')))[1]//text()[normalize-space()]">
          <xsl:if test="position() > 1"><xsl:text> </xsl:text></xsl:if>
          <xsl:value-of select="normalize-space()"/>
        </xsl:for-each>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="*" mode="comments">
    <xsl:for-each select="h:entryRelationship/h:act[h:code/@code = '48767-8']/h:text">
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

  <!-- 20190516123456.789-0500 to 2019-05-16T12:34:56.789-05:00. A missing month or day is the first one; an odd last
       digit is dropped; a date alone stays a date; a time without zone stays without (it is read as UTC); with a zone that is
       none it is only a day. Years outside 1800 to 2199 are fillers such as 0001 or 9999: no date. So is what is no time at all. -->
  <xsl:template name="time">
    <xsl:param name="ts"/>
    <xsl:variable name="flat" select="concat(translate(normalize-space($ts), '+', '-'), '-')"/>
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
      <xsl:value-of select="concat(substring($day, 1, 4), '-', substring($day, 5, 2), '-', substring($day, 7, 2))"/>
      <xsl:variable name="offset" select="(string-length($zone) = 4 or string-length($zone) = 2) and substring($zone, 1, 2) &lt; 14 and not(substring($zone, 3, 2) &gt; 59)"/>
      <xsl:if test="$length &gt; 8 and substring($hour, 1, 2) &lt; 24 and substring($hour, 3, 2) &lt; 60 and substring($hour, 5, 2) &lt; 60 and ($offset or $zone = '')">
        <xsl:value-of select="concat('T', substring($hour, 1, 2), ':', substring($hour, 3, 2), ':', substring($hour, 5, 2))"/>
        <xsl:if test="$fraction != '' and $length = 14"><xsl:value-of select="concat('.', $fraction)"/></xsl:if>
        <xsl:if test="$offset">
          <xsl:value-of select="concat(substring('+-', 1 + not(contains($ts, '+')), 1), substring($zone, 1, 2), ':', substring(concat($zone, '00'), 3, 2))"/>
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

  <!-- The first reading of a group stands for all of it; of two for one column the first counts. -->
  <xsl:template match="Reading" mode="tidy">
    <xsl:variable name="readings" select="key('group', @same)"/>
    <Model name="VitalSigns">
      <Field name="date"><xsl:value-of select="@date"/></Field>
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
