<?xml version="1.0" encoding="UTF-8"?>
<!-- VitalSigns to one VitalSigns fact, with its Encounter nested when there is one. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:variable name="capitals" select="'ABCDEFGHIJKLMNOPQRSTUVWXYZ'"/>
  <xsl:variable name="small" select="'abcdefghijklmnopqrstuvwxyz'"/>
  <xsl:variable name="loinc" select="'http://purl.bioontology.org/ontology/LNC/'"/>
  <xsl:variable name="snomed" select="'http://purl.bioontology.org/ontology/SNOMEDCT/'"/>
  <xsl:variable name="encounter-types" select="'http://smartplatforms.org/terms/codes/EncounterType#'"/>
  <xsl:variable name="methods" select="'http://smartplatforms.org/terms/codes/BloodPressureMethod#'"/>

  <xsl:template match="/d:VitalSigns">
    <Models>
      <Model name="VitalSigns">
        <Field name="date"><xsl:value-of select="normalize-space(d:date)"/></Field>
        <xsl:apply-templates select="d:*[not(self::d:date)]"/>
      </Model>
    </Models>
  </xsl:template>

  <xsl:template match="d:VitalSigns/d:encounter">
    <Field name="encounter"><Model name="Encounter"><xsl:call-template name="encounter"/></Model></Field>
  </xsl:template>

  <xsl:template match="d:bloodPressure">
    <xsl:apply-templates select="d:systolic | d:diastolic"/>
    <xsl:for-each select="d:position">
      <xsl:call-template name="listed">
        <xsl:with-param name="prefix" select="'bp_position'"/>
        <xsl:with-param name="list" select="$snomed"/>
      </xsl:call-template>
    </xsl:for-each>
    <xsl:for-each select="d:site">
      <xsl:call-template name="listed">
        <xsl:with-param name="prefix" select="'bp_site'"/>
        <xsl:with-param name="list" select="$snomed"/>
      </xsl:call-template>
    </xsl:for-each>
    <xsl:for-each select="d:method">
      <xsl:call-template name="listed">
        <xsl:with-param name="prefix" select="'bp_method'"/>
        <xsl:with-param name="list" select="$methods"/>
      </xsl:call-template>
    </xsl:for-each>
  </xsl:template>

  <!-- One row per reading: column, LOINC code, title, unit, spellings of the unit in small letters. -->
  <xsl:template match="d:systolic">
    <xsl:call-template name="reading">
      <xsl:with-param name="prefix" select="'bp_systolic'"/>
      <xsl:with-param name="code" select="'8480-6'"/>
      <xsl:with-param name="title" select="'Systolic blood pressure'"/>
      <xsl:with-param name="unit" select="'mm[Hg]'"/>
      <xsl:with-param name="spellings" select="'|mm[hg]|mmhg|mm hg|millimeters of mercury|millimetres of mercury|'"/>
    </xsl:call-template>
  </xsl:template>
  <xsl:template match="d:diastolic">
    <xsl:call-template name="reading">
      <xsl:with-param name="prefix" select="'bp_diastolic'"/>
      <xsl:with-param name="code" select="'8462-4'"/>
      <xsl:with-param name="title" select="'Diastolic blood pressure'"/>
      <xsl:with-param name="unit" select="'mm[Hg]'"/>
      <xsl:with-param name="spellings" select="'|mm[hg]|mmhg|mm hg|millimeters of mercury|millimetres of mercury|'"/>
    </xsl:call-template>
  </xsl:template>
  <xsl:template match="d:bodyMassIndex">
    <xsl:call-template name="reading">
      <xsl:with-param name="prefix" select="'bmi'"/>
      <xsl:with-param name="code" select="'39156-5'"/>
      <xsl:with-param name="title" select="'Body mass index'"/>
      <xsl:with-param name="unit" select="'kg/m2'"/>
      <xsl:with-param name="spellings" select="'|kg/m2|kg/m^2|kg/m²|'"/>
    </xsl:call-template>
  </xsl:template>
  <xsl:template match="d:heartRate">
    <xsl:call-template name="reading">
      <xsl:with-param name="prefix" select="'heart_rate'"/>
      <xsl:with-param name="code" select="'8867-4'"/>
      <xsl:with-param name="title" select="'Heart rate'"/>
      <xsl:with-param name="unit" select="'{beats}/min'"/>
      <xsl:with-param name="spellings" select="'|{beats}/min|beats/min|/min|bpm|beats per minute|'"/>
    </xsl:call-template>
  </xsl:template>
  <xsl:template match="d:height">
    <xsl:call-template name="reading">
      <xsl:with-param name="prefix" select="'height'"/>
      <xsl:with-param name="code" select="'8302-2'"/>
      <xsl:with-param name="title" select="'Body height'"/>
      <xsl:with-param name="unit" select="'m'"/>
      <xsl:with-param name="spellings" select="'|m|meter|meters|metre|metres|'"/>
    </xsl:call-template>
  </xsl:template>
  <xsl:template match="d:oxygenSaturation">
    <xsl:call-template name="reading">
      <xsl:with-param name="prefix" select="'oxygen_saturation'"/>
      <xsl:with-param name="code" select="'2710-2'"/>
      <xsl:with-param name="title" select="'Oxygen saturation'"/>
      <xsl:with-param name="unit" select="'%{HemoglobinSaturation}'"/>
      <xsl:with-param name="spellings" select="'|%{hemoglobinsaturation}|%|percent|'"/>
    </xsl:call-template>
  </xsl:template>
  <xsl:template match="d:respiratoryRate">
    <xsl:call-template name="reading">
      <xsl:with-param name="prefix" select="'respiratory_rate'"/>
      <xsl:with-param name="code" select="'9279-1'"/>
      <xsl:with-param name="title" select="'Respiratory rate'"/>
      <xsl:with-param name="unit" select="'{breaths}/min'"/>
      <xsl:with-param name="spellings" select="'|{breaths}/min|breaths/min|/min|breaths per minute|'"/>
    </xsl:call-template>
  </xsl:template>
  <xsl:template match="d:temperature">
    <xsl:call-template name="reading">
      <xsl:with-param name="prefix" select="'temperature'"/>
      <xsl:with-param name="code" select="'8310-5'"/>
      <xsl:with-param name="title" select="'Body temperature'"/>
      <xsl:with-param name="unit" select="'Cel'"/>
      <xsl:with-param name="spellings" select="'|cel|°c|c|degc|celsius|degrees celsius|'"/>
    </xsl:call-template>
  </xsl:template>
  <xsl:template match="d:weight">
    <xsl:call-template name="reading">
      <xsl:with-param name="prefix" select="'weight'"/>
      <xsl:with-param name="code" select="'3141-9'"/>
      <xsl:with-param name="title" select="'Body weight'"/>
      <xsl:with-param name="unit" select="'kg'"/>
      <xsl:with-param name="spellings" select="'|kg|kilogram|kilograms|'"/>
    </xsl:call-template>
  </xsl:template>

  <xsl:template name="reading">
    <xsl:param name="prefix"/>
    <xsl:param name="code"/>
    <xsl:param name="title"/>
    <xsl:param name="unit"/>
    <xsl:param name="spellings"/>
    <Field name="{$prefix}_value"><xsl:value-of select="normalize-space(d:value)"/></Field>
    <Field name="{$prefix}_unit">
      <xsl:for-each select="d:unit">
        <xsl:call-template name="unit">
          <xsl:with-param name="unit" select="$unit"/>
          <xsl:with-param name="spellings" select="$spellings"/>
        </xsl:call-template>
      </xsl:for-each>
    </Field>
    <Field name="{$prefix}_name_identifier">
      <xsl:choose>
        <!-- Body weight, and oxygen saturation by pulse oximetry or in arterial blood: the model has only one code for
             each. -->
        <xsl:when test="d:name/@value = '29463-7'">3141-9</xsl:when>
        <xsl:when test="d:name/@value = '59408-5' or d:name/@value = '2708-6'">2710-2</xsl:when>
        <xsl:when test="normalize-space(d:name/@value)"><xsl:value-of select="normalize-space(d:name/@value)"/></xsl:when>
        <xsl:otherwise><xsl:value-of select="$code"/></xsl:otherwise>
      </xsl:choose>
    </Field>
    <Field name="{$prefix}_name_title">
      <xsl:choose>
        <xsl:when test="normalize-space(d:name)"><xsl:value-of select="normalize-space(d:name)"/></xsl:when>
        <xsl:otherwise><xsl:value-of select="$title"/></xsl:otherwise>
      </xsl:choose>
    </Field>
    <Field name="{$prefix}_name_system">
      <xsl:choose>
        <xsl:when test="normalize-space(d:name/@type)">
          <xsl:call-template name="system"><xsl:with-param name="uri" select="normalize-space(d:name/@type)"/></xsl:call-template>
        </xsl:when>
        <xsl:otherwise><xsl:value-of select="$loinc"/></xsl:otherwise>
      </xsl:choose>
    </Field>
  </xsl:template>

  <!-- The known spellings of a unit become the model's unit; another unit passes, and the model refuses it. If @value is
       a code, it decides; if it is a number of a local list, text and abbreviation do. -->
  <xsl:template name="unit">
    <xsl:param name="unit"/>
    <xsl:param name="spellings"/>
    <xsl:variable name="value" select="normalize-space(@value)"/>
    <xsl:variable name="text" select="normalize-space()"/>
    <xsl:variable name="words" select="not($value) or number($value) = number($value)"/>
    <xsl:choose>
      <xsl:when test="contains($spellings, concat('|', translate($value, $capitals, $small), '|'))
                   or $words and contains($spellings, concat('|', translate($text, $capitals, $small), '|'))
                   or $words and contains($spellings, concat('|', translate(normalize-space(@abbrev), $capitals, $small), '|'))">
        <xsl:value-of select="$unit"/>
      </xsl:when>
      <xsl:when test="$value"><xsl:value-of select="$value"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="$text"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The columns of an Encounter, from an element of that type. -->
  <xsl:template name="encounter">
    <Field name="startDate"><xsl:value-of select="normalize-space(d:startDate)"/></Field>
    <Field name="endDate"><xsl:value-of select="normalize-space(d:endDate)"/></Field>
    <xsl:apply-templates select="d:encounterType | d:facility | d:provider"/>
  </xsl:template>

  <xsl:template match="d:encounterType">
    <xsl:call-template name="listed">
      <xsl:with-param name="prefix" select="'encounterType'"/>
      <xsl:with-param name="list" select="$encounter-types"/>
    </xsl:call-template>
  </xsl:template>

  <!-- HL7 v3 classes that have an equivalent in the list; the others pass unchanged. -->
  <xsl:template match="d:encounterType[@type = 'http://terminology.hl7.org/CodeSystem/v3-ActCode'
                                    or @type = 'http://hl7.org/fhir/v3/ActCode'
                                    or @type = 'urn:oid:2.16.840.1.113883.5.4']">
    <xsl:variable name="type">
      <xsl:choose>
        <xsl:when test="@value = 'AMB'">ambulatory</xsl:when>
        <xsl:when test="@value = 'EMER'">emergency</xsl:when>
        <xsl:when test="@value = 'FLD'">field</xsl:when>
        <xsl:when test="@value = 'HH'">home</xsl:when>
        <xsl:when test="@value = 'IMP'">inpatient</xsl:when>
        <xsl:when test="@value = 'VR'">virtual</xsl:when>
        <xsl:otherwise><xsl:value-of select="normalize-space(@value)"/></xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <Field name="encounterType_identifier"><xsl:value-of select="$type"/></Field>
    <Field name="encounterType_title"><xsl:value-of select="normalize-space()"/></Field>
    <Field name="encounterType_system"><xsl:value-of select="$encounter-types"/></Field>
  </xsl:template>

  <xsl:template match="d:facility">
    <Field name="facility_name"><xsl:value-of select="normalize-space(d:name)"/></Field>
    <xsl:for-each select="d:address">
      <xsl:call-template name="address"><xsl:with-param name="prefix" select="'facility_adr'"/></xsl:call-template>
    </xsl:for-each>
  </xsl:template>

  <!-- A choice from a list. The list is the coding system, unless the document names another one. -->
  <xsl:template name="listed">
    <xsl:param name="prefix"/>
    <xsl:param name="list"/>
    <Field name="{$prefix}_identifier"><xsl:value-of select="normalize-space(@value)"/></Field>
    <Field name="{$prefix}_title"><xsl:value-of select="normalize-space()"/></Field>
    <Field name="{$prefix}_system">
      <xsl:choose>
        <xsl:when test="@type">
          <xsl:call-template name="system"><xsl:with-param name="uri" select="normalize-space(@type)"/></xsl:call-template>
        </xsl:when>
        <xsl:when test="normalize-space(@value)"><xsl:value-of select="$list"/></xsl:when>
      </xsl:choose>
    </Field>
  </xsl:template>

  <!-- The known names of a coding system; any other name passes unchanged. -->
  <xsl:template name="system">
    <xsl:param name="uri"/>
    <xsl:choose>
      <xsl:when test="$uri = 'http://loinc.org'
                   or $uri = 'http://loinc.org/'
                   or $uri = 'http://purl.bioontology.org/ontology/LNC'
                   or $uri = 'http://purl.bioontology.org/ontology/LOINC/'
                   or $uri = 'urn:oid:2.16.840.1.113883.6.1'
                   or $uri = '2.16.840.1.113883.6.1'">http://purl.bioontology.org/ontology/LNC/</xsl:when>
      <xsl:when test="$uri = 'http://snomed.info/sct'
                   or $uri = 'http://purl.bioontology.org/ontology/SNOMEDCT'
                   or $uri = 'urn:oid:2.16.840.1.113883.6.96'
                   or $uri = '2.16.840.1.113883.6.96'">http://purl.bioontology.org/ontology/SNOMEDCT/</xsl:when>
      <xsl:otherwise><xsl:value-of select="$uri"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="d:provider">
    <xsl:for-each select="d:name">
      <xsl:call-template name="person"><xsl:with-param name="prefix" select="'provider_name'"/></xsl:call-template>
    </xsl:for-each>
    <xsl:for-each select="d:telephone">
      <xsl:variable name="prefix" select="concat('provider_tel_', position())"/>
      <Field name="{$prefix}_type"><xsl:value-of select="normalize-space(d:type)"/></Field>
      <Field name="{$prefix}_number"><xsl:value-of select="normalize-space(d:number)"/></Field>
      <Field name="{$prefix}_preferred_p"><xsl:value-of select="normalize-space(d:preferred) = 'true' or normalize-space(d:preferred) = '1'"/></Field>
    </xsl:for-each>
    <xsl:for-each select="d:address">
      <xsl:call-template name="address"><xsl:with-param name="prefix" select="'provider_adr'"/></xsl:call-template>
    </xsl:for-each>
    <Field name="provider_email"><xsl:value-of select="normalize-space(d:email)"/></Field>
    <Field name="provider_bday"><xsl:value-of select="substring(normalize-space(d:dateOfBirth), 1, 10)"/></Field>
    <Field name="provider_gender"><xsl:value-of select="substring(normalize-space(d:gender), 1, 1)"/></Field>
    <Field name="provider_ethnicity"><xsl:value-of select="normalize-space(d:ethnicity)"/></Field>
    <Field name="provider_preferred_language"><xsl:value-of select="normalize-space(d:preferredLanguage)"/></Field>
    <Field name="provider_race"><xsl:value-of select="normalize-space(d:race)"/></Field>
    <Field name="provider_dea_number"><xsl:value-of select="normalize-space(d:deaNumber)"/></Field>
    <Field name="provider_npi_number"><xsl:value-of select="normalize-space(d:npiNumber)"/></Field>
  </xsl:template>

  <xsl:template name="person">
    <xsl:param name="prefix"/>
    <Field name="{$prefix}_family"><xsl:value-of select="normalize-space(d:familyName)"/></Field>
    <Field name="{$prefix}_given"><xsl:value-of select="normalize-space(d:givenName)"/></Field>
    <Field name="{$prefix}_middle"><xsl:value-of select="normalize-space(d:middleName)"/></Field>
    <Field name="{$prefix}_prefix"><xsl:value-of select="normalize-space(d:prefix)"/></Field>
    <Field name="{$prefix}_suffix"><xsl:value-of select="normalize-space(d:suffix)"/></Field>
  </xsl:template>

  <xsl:template name="address">
    <xsl:param name="prefix"/>
    <Field name="{$prefix}_country"><xsl:value-of select="normalize-space(d:country)"/></Field>
    <Field name="{$prefix}_city"><xsl:value-of select="normalize-space(d:city)"/></Field>
    <Field name="{$prefix}_postalcode"><xsl:value-of select="normalize-space(d:postalCode)"/></Field>
    <Field name="{$prefix}_region"><xsl:value-of select="normalize-space(d:region)"/></Field>
    <Field name="{$prefix}_street"><xsl:value-of select="normalize-space(d:street)"/></Field>
  </xsl:template>
</xsl:stylesheet>
