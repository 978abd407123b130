<?xml version="1.0" encoding="UTF-8"?>
<!-- VitalSign to one VitalSigns fact that holds a single reading. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:variable name="capitals" select="'ABCDEFGHIJKLMNOPQRSTUVWXYZ'"/>
  <xsl:variable name="small" select="'abcdefghijklmnopqrstuvwxyz'"/>
  <xsl:variable name="loinc" select="'http://purl.bioontology.org/ontology/LNC/'"/>
  <xsl:variable name="snomed" select="'http://purl.bioontology.org/ontology/SNOMEDCT/'"/>

  <xsl:template match="/d:VitalSign">
    <xsl:variable name="reading"><xsl:apply-templates select="d:name"/></xsl:variable>
    <Models>
      <xsl:choose>
        <xsl:when test="string($reading)">
          <Model name="VitalSigns">
            <Field name="date"><xsl:value-of select="normalize-space(d:dateMeasured)"/></Field>
            <xsl:copy-of select="$reading"/>
          </Model>
        </xsl:when>
        <!-- The model has no column for this reading. -->
        <xsl:otherwise><LeftOut model="VitalSigns" reason="unknown_reading">its name is none of the nine readings that vital signs hold</LeftOut></xsl:otherwise>
      </xsl:choose>
    </Models>
  </xsl:template>

  <!-- Which reading it is: a LOINC code decides; without one, the name or its abbreviation does. For each reading:
       column, the model's code, title, unit, spellings of the unit in small letters. -->
  <xsl:template match="d:name">
    <xsl:variable name="system"><xsl:call-template name="system"><xsl:with-param name="uri" select="normalize-space(@type)"/></xsl:call-template></xsl:variable>
    <xsl:variable name="code"><xsl:if test="$system = $loinc"><xsl:value-of select="normalize-space(@value)"/></xsl:if></xsl:variable>
    <xsl:variable name="name"><xsl:if test="not(string($code))"><xsl:value-of select="translate(normalize-space(), $capitals, $small)"/></xsl:if></xsl:variable>
    <xsl:variable name="abbrev"><xsl:if test="not(string($code))"><xsl:value-of select="translate(normalize-space(@abbrev), $capitals, $small)"/></xsl:if></xsl:variable>
    <xsl:choose>
      <xsl:when test="$code = '8480-6'
                   or contains('|systolic blood pressure|blood pressure systolic|bp systolic|systolic|bpsys|sbp|', concat('|', $name, '|'))
                   or contains('|systolic blood pressure|blood pressure systolic|bp systolic|systolic|bpsys|sbp|', concat('|', $abbrev, '|'))">
        <xsl:call-template name="reading">
          <xsl:with-param name="prefix" select="'bp_systolic'"/>
          <xsl:with-param name="code" select="'8480-6'"/>
          <xsl:with-param name="title" select="'Systolic blood pressure'"/>
          <xsl:with-param name="unit" select="'mm[Hg]'"/>
          <xsl:with-param name="spellings" select="'|mm[hg]|mmhg|mm hg|millimeters of mercury|millimetres of mercury|'"/>
        </xsl:call-template>
        <xsl:apply-templates select="../d:site | ../d:position"/>
      </xsl:when>
      <xsl:when test="$code = '8462-4'
                   or contains('|diastolic blood pressure|blood pressure diastolic|bp diastolic|diastolic|bpdia|dbp|', concat('|', $name, '|'))
                   or contains('|diastolic blood pressure|blood pressure diastolic|bp diastolic|diastolic|bpdia|dbp|', concat('|', $abbrev, '|'))">
        <xsl:call-template name="reading">
          <xsl:with-param name="prefix" select="'bp_diastolic'"/>
          <xsl:with-param name="code" select="'8462-4'"/>
          <xsl:with-param name="title" select="'Diastolic blood pressure'"/>
          <xsl:with-param name="unit" select="'mm[Hg]'"/>
          <xsl:with-param name="spellings" select="'|mm[hg]|mmhg|mm hg|millimeters of mercury|millimetres of mercury|'"/>
        </xsl:call-template>
        <xsl:apply-templates select="../d:site | ../d:position"/>
      </xsl:when>
      <xsl:when test="$code = '39156-5'
                   or contains('|body mass index|bmi|', concat('|', $name, '|'))
                   or contains('|body mass index|bmi|', concat('|', $abbrev, '|'))">
        <xsl:call-template name="reading">
          <xsl:with-param name="prefix" select="'bmi'"/>
          <xsl:with-param name="code" select="'39156-5'"/>
          <xsl:with-param name="title" select="'Body mass index'"/>
          <xsl:with-param name="unit" select="'kg/m2'"/>
          <xsl:with-param name="spellings" select="'|kg/m2|kg/m^2|kg/m²|'"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:when test="$code = '8867-4'
                   or contains('|heart rate|pulse|pulse rate|hr|', concat('|', $name, '|'))
                   or contains('|heart rate|pulse|pulse rate|hr|', concat('|', $abbrev, '|'))">
        <xsl:call-template name="reading">
          <xsl:with-param name="prefix" select="'heart_rate'"/>
          <xsl:with-param name="code" select="'8867-4'"/>
          <xsl:with-param name="title" select="'Heart rate'"/>
          <xsl:with-param name="unit" select="'{beats}/min'"/>
          <xsl:with-param name="spellings" select="'|{beats}/min|beats/min|/min|bpm|beats per minute|'"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:when test="$code = '8302-2' or $code = '8306-3'
                   or contains('|body height|height|body length|ht|', concat('|', $name, '|'))
                   or contains('|body height|height|body length|ht|', concat('|', $abbrev, '|'))">
        <xsl:call-template name="reading">
          <xsl:with-param name="prefix" select="'height'"/>
          <xsl:with-param name="code">
            <xsl:choose>
              <xsl:when test="$code = '8306-3'">8306-3</xsl:when>
              <xsl:otherwise>8302-2</xsl:otherwise>
            </xsl:choose>
          </xsl:with-param>
          <xsl:with-param name="title" select="'Body height'"/>
          <xsl:with-param name="unit" select="'m'"/>
          <xsl:with-param name="spellings" select="'|m|meter|meters|metre|metres|'"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:when test="$code = '2710-2' or $code = '59408-5' or $code = '2708-6'
                   or contains('|oxygen saturation|o2 saturation|spo2|sao2|', concat('|', $name, '|'))
                   or contains('|oxygen saturation|o2 saturation|spo2|sao2|', concat('|', $abbrev, '|'))">
        <xsl:call-template name="reading">
          <xsl:with-param name="prefix" select="'oxygen_saturation'"/>
          <xsl:with-param name="code" select="'2710-2'"/>
          <xsl:with-param name="title" select="'Oxygen saturation'"/>
          <xsl:with-param name="unit" select="'%{HemoglobinSaturation}'"/>
          <xsl:with-param name="spellings" select="'|%{hemoglobinsaturation}|%|percent|'"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:when test="$code = '9279-1'
                   or contains('|respiratory rate|respiration rate|respirations|rr|', concat('|', $name, '|'))
                   or contains('|respiratory rate|respiration rate|respirations|rr|', concat('|', $abbrev, '|'))">
        <xsl:call-template name="reading">
          <xsl:with-param name="prefix" select="'respiratory_rate'"/>
          <xsl:with-param name="code" select="'9279-1'"/>
          <xsl:with-param name="title" select="'Respiratory rate'"/>
          <xsl:with-param name="unit" select="'{breaths}/min'"/>
          <xsl:with-param name="spellings" select="'|{breaths}/min|breaths/min|/min|breaths per minute|'"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:when test="$code = '8310-5'
                   or contains('|body temperature|temperature|temp|', concat('|', $name, '|'))
                   or contains('|body temperature|temperature|temp|', concat('|', $abbrev, '|'))">
        <xsl:call-template name="reading">
          <xsl:with-param name="prefix" select="'temperature'"/>
          <xsl:with-param name="code" select="'8310-5'"/>
          <xsl:with-param name="title" select="'Body temperature'"/>
          <xsl:with-param name="unit" select="'Cel'"/>
          <xsl:with-param name="spellings" select="'|cel|°c|c|degc|celsius|degrees celsius|'"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:when test="$code = '3141-9' or $code = '29463-7'
                   or contains('|body weight|weight|wt|', concat('|', $name, '|'))
                   or contains('|body weight|weight|wt|', concat('|', $abbrev, '|'))">
        <xsl:call-template name="reading">
          <xsl:with-param name="prefix" select="'weight'"/>
          <xsl:with-param name="code" select="'3141-9'"/>
          <xsl:with-param name="title" select="'Body weight'"/>
          <xsl:with-param name="unit" select="'kg'"/>
          <xsl:with-param name="spellings" select="'|kg|kilogram|kilograms|'"/>
        </xsl:call-template>
      </xsl:when>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="reading">
    <xsl:param name="prefix"/>
    <xsl:param name="code"/>
    <xsl:param name="title"/>
    <xsl:param name="unit"/>
    <xsl:param name="spellings"/>
    <Field name="{$prefix}_value"><xsl:value-of select="normalize-space(../d:value)"/></Field>
    <Field name="{$prefix}_unit">
      <xsl:for-each select="../d:unit">
        <xsl:call-template name="unit">
          <xsl:with-param name="unit" select="$unit"/>
          <xsl:with-param name="spellings" select="$spellings"/>
        </xsl:call-template>
      </xsl:for-each>
    </Field>
    <Field name="{$prefix}_name_identifier"><xsl:value-of select="$code"/></Field>
    <Field name="{$prefix}_name_title">
      <xsl:choose>
        <xsl:when test="normalize-space()"><xsl:value-of select="normalize-space()"/></xsl:when>
        <xsl:otherwise><xsl:value-of select="$title"/></xsl:otherwise>
      </xsl:choose>
    </Field>
    <Field name="{$prefix}_name_system"><xsl:value-of select="$loinc"/></Field>
  </xsl:template>

  <!-- Where and how blood pressure was taken: a code as sent, or known words; other words stay a title. -->
  <xsl:template match="d:site">
    <xsl:variable name="words" select="translate(normalize-space(), $capitals, $small)"/>
    <xsl:call-template name="circumstance">
      <xsl:with-param name="prefix" select="'bp_site'"/>
      <xsl:with-param name="known">
        <xsl:choose>
          <xsl:when test="$words = 'left arm' or $words = 'left upper arm'">368208006</xsl:when>
          <xsl:when test="$words = 'right arm' or $words = 'right upper arm'">368209003</xsl:when>
          <xsl:when test="$words = 'left thigh'">61396006</xsl:when>
          <xsl:when test="$words = 'right thigh'">11207009</xsl:when>
        </xsl:choose>
      </xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <xsl:template match="d:position">
    <xsl:variable name="words" select="translate(normalize-space(), $capitals, $small)"/>
    <xsl:call-template name="circumstance">
      <xsl:with-param name="prefix" select="'bp_position'"/>
      <xsl:with-param name="known">
        <xsl:choose>
          <xsl:when test="$words = 'supine' or $words = 'lying' or $words = 'lying down'">40199007</xsl:when>
          <xsl:when test="$words = 'sitting' or $words = 'sitting down' or $words = 'seated'">33586001</xsl:when>
          <xsl:when test="$words = 'standing' or $words = 'standing up'">10904000</xsl:when>
        </xsl:choose>
      </xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <xsl:template name="circumstance">
    <xsl:param name="prefix"/>
    <xsl:param name="known"/>
    <xsl:choose>
      <xsl:when test="normalize-space(@type) and normalize-space(@value)">
        <Field name="{$prefix}_identifier"><xsl:value-of select="normalize-space(@value)"/></Field>
        <Field name="{$prefix}_system"><xsl:call-template name="system"><xsl:with-param name="uri" select="normalize-space(@type)"/></xsl:call-template></Field>
      </xsl:when>
      <xsl:when test="string($known)">
        <Field name="{$prefix}_identifier"><xsl:value-of select="$known"/></Field>
        <Field name="{$prefix}_system"><xsl:value-of select="$snomed"/></Field>
      </xsl:when>
    </xsl:choose>
    <Field name="{$prefix}_title"><xsl:value-of select="normalize-space()"/></Field>
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
</xsl:stylesheet>
