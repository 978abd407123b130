<?xml version="1.0" encoding="UTF-8"?>
<!-- AppleHealth to one VitalSigns for each reading of a kind that the model has, and to one Measurement for each of
     any other. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:exsl="http://exslt.org/common"
                xmlns:date="http://exslt.org/dates-and-times"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d exsl date">
  <xsl:import href="../common/units.xsl"/>
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:variable name="loinc" select="'http://purl.bioontology.org/ontology/LNC/'"/>
  <xsl:variable name="kind-rows">
    <kind of="BodyMass" column="weight" code="29463-7" title="Body weight"/>
    <kind of="Height" column="height" code="8302-2" title="Body height"/>
    <kind of="BodyMassIndex" column="bmi" code="39156-5" title="Body mass index"/>
    <kind of="HeartRate" column="heart_rate" code="8867-4" title="Heart rate"/>
    <kind of="RespiratoryRate" column="respiratory_rate" code="9279-1" title="Respiratory rate"/>
    <kind of="OxygenSaturation" column="oxygen_saturation" code="59408-5" title="Oxygen saturation"/>
    <kind of="BodyTemperature" column="temperature" code="8310-5" title="Body temperature"/>
  </xsl:variable>
  <xsl:variable name="kind-name" select="string(/d:AppleHealth/@kind)"/>
  <xsl:variable name="kind" select="exsl:node-set($kind-rows)/kind[@of = $kind-name]"/>
  <xsl:variable name="rows" select="exsl:node-set($unit-rows)"/>
  <xsl:variable name="root-unit" select="string(/d:AppleHealth/@unit)"/>
  <xsl:variable name="name" select="normalize-space(/d:AppleHealth/@name)"/>

  <xsl:template match="/d:AppleHealth">
    <Models>
      <xsl:choose>
        <xsl:when test="@group = 'sleep'"><xsl:apply-templates select="d:reading" mode="sleep"/></xsl:when>
        <xsl:when test="@group = 'workout'"><xsl:apply-templates select="d:reading" mode="workout"/></xsl:when>
        <xsl:when test="@group"><xsl:apply-templates select="d:reading" mode="symptom"/></xsl:when>
        <xsl:when test="@kind = 'BloodPressure'"><xsl:apply-templates select="d:reading" mode="pressure"/></xsl:when>
        <xsl:when test="$kind"><xsl:apply-templates select="d:reading" mode="vital"/></xsl:when>
        <xsl:otherwise><xsl:apply-templates select="d:reading[@value]" mode="measurement"/></xsl:otherwise>
      </xsl:choose>
    </Models>
  </xsl:template>

  <xsl:template name="unit">
    <xsl:choose>
      <xsl:when test="@unit"><xsl:value-of select="@unit"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="$root-unit"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="field">
    <xsl:param name="column"/>
    <xsl:param name="code"/>
    <xsl:param name="title"/>
    <xsl:param name="value"/>
    <Field name="{$column}_value"><xsl:value-of select="$value"/></Field>
    <Field name="{$column}_unit"><xsl:value-of select="$rows/reading[@column = $column]/@unit"/></Field>
    <Field name="{$column}_name_title"><xsl:value-of select="$title"/></Field>
    <Field name="{$column}_name_identifier"><xsl:value-of select="$code"/></Field>
    <Field name="{$column}_name_system"><xsl:value-of select="$loinc"/></Field>
  </xsl:template>

  <!-- The circumstances of a reading, in words. -->
  <xsl:template name="circumstances">
    <Field name="notes">
      <xsl:if test="@byHand = 'true' or @byHand = '1'">Entered by hand.</xsl:if>
      <xsl:if test="@remark != ''">
        <xsl:if test="@byHand = 'true' or @byHand = '1'"><xsl:text> </xsl:text></xsl:if>
        <xsl:value-of select="concat(translate(substring(@remark, 1, 1), 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), substring(@remark, 2), '.')"/>
      </xsl:if>
    </Field>
  </xsl:template>

  <xsl:template match="d:reading" mode="vital">
    <xsl:variable name="unit"><xsl:call-template name="unit"/></xsl:variable>
    <xsl:variable name="value">
      <xsl:call-template name="converted">
        <xsl:with-param name="column" select="$kind/@column"/><xsl:with-param name="number" select="number(@value)"/><xsl:with-param name="unit" select="$unit"/>
      </xsl:call-template>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="$value != '' and $value != 'NaN'">
        <Model name="VitalSigns">
          <Field name="date"><xsl:value-of select="@start"/></Field>
          <xsl:call-template name="field">
            <xsl:with-param name="column" select="$kind/@column"/><xsl:with-param name="code" select="$kind/@code"/>
            <xsl:with-param name="title" select="$kind/@title"/><xsl:with-param name="value" select="$value"/>
          </xsl:call-template>
          <xsl:call-template name="circumstances"/>
        </Model>
      </xsl:when>
      <xsl:when test="@value"><xsl:apply-templates select="." mode="measurement"/></xsl:when>
      <xsl:otherwise><LeftOut model="VitalSigns" reason="no_value">it has no value that can be used</LeftOut></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="d:reading" mode="pressure">
    <xsl:variable name="unit"><xsl:call-template name="unit"/></xsl:variable>
    <xsl:variable name="high">
      <xsl:if test="@systolic"><xsl:call-template name="converted"><xsl:with-param name="column" select="'bp_systolic'"/><xsl:with-param name="number" select="number(@systolic)"/><xsl:with-param name="unit" select="$unit"/></xsl:call-template></xsl:if>
    </xsl:variable>
    <xsl:variable name="low">
      <xsl:if test="@diastolic"><xsl:call-template name="converted"><xsl:with-param name="column" select="'bp_diastolic'"/><xsl:with-param name="number" select="number(@diastolic)"/><xsl:with-param name="unit" select="$unit"/></xsl:call-template></xsl:if>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="concat($high, $low) != ''">
        <Model name="VitalSigns">
          <Field name="date"><xsl:value-of select="@start"/></Field>
          <xsl:if test="$high != ''">
            <xsl:call-template name="field">
              <xsl:with-param name="column" select="'bp_systolic'"/><xsl:with-param name="code" select="'8480-6'"/>
              <xsl:with-param name="title" select="'Systolic blood pressure'"/><xsl:with-param name="value" select="$high"/>
            </xsl:call-template>
          </xsl:if>
          <xsl:if test="$low != ''">
            <xsl:call-template name="field">
              <xsl:with-param name="column" select="'bp_diastolic'"/><xsl:with-param name="code" select="'8462-4'"/>
              <xsl:with-param name="title" select="'Diastolic blood pressure'"/><xsl:with-param name="value" select="$low"/>
            </xsl:call-template>
          </xsl:if>
          <xsl:call-template name="circumstances"/>
        </Model>
      </xsl:when>
      <xsl:otherwise><LeftOut model="VitalSigns" reason="no_value">it has no value that can be used</LeftOut></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="when-and-who">
    <Field name="start"><xsl:value-of select="@start"/></Field>
    <Field name="end"><xsl:value-of select="@end"/></Field>
    <Field name="source"><xsl:value-of select="@source"/><xsl:if test="not(@source)"><xsl:value-of select="/d:AppleHealth/@source"/></xsl:if></Field>
    <xsl:call-template name="circumstances"/>
  </xsl:template>

  <xsl:template match="d:reading" mode="sleep">
    <Model name="Sleep">
      <Field name="stage"><xsl:value-of select="substring(@said, 1, 40)"/><xsl:if test="not(@said)">Asleep</xsl:if></Field>
      <xsl:call-template name="when-and-who"/>
      <xsl:if test="@end"><Field name="minutes"><xsl:value-of select="round(date:seconds(date:difference(@start, @end)) div 6) div 10"/></Field></xsl:if>
    </Model>
  </xsl:template>

  <xsl:template match="d:reading" mode="workout">
    <Model name="Workout">
      <Field name="kind"><xsl:value-of select="@said"/><xsl:if test="not(@said)">Workout</xsl:if></Field>
      <xsl:call-template name="when-and-who"/>
      <Field name="minutes"><xsl:value-of select="@value"/></Field>
      <xsl:if test="@distance"><Field name="distance_value"><xsl:value-of select="@distance"/></Field><Field name="distance_unit"><xsl:value-of select="@distanceUnit"/></Field></xsl:if>
      <xsl:if test="@energy"><Field name="energy_value"><xsl:value-of select="@energy"/></Field><Field name="energy_unit"><xsl:value-of select="@energyUnit"/></Field></xsl:if>
    </Model>
  </xsl:template>

  <!-- What was not there is said in the name, so that nobody takes it for a symptom; a notification is called one. -->
  <xsl:template match="d:reading" mode="symptom">
    <xsl:variable name="code" select="substring-before(substring-after('|Mild=255604002|Moderate=6736007|Severe=24484000|', concat('|', @said, '=')), '|')"/>
    <Model name="Symptom">
      <Field name="name_title">
        <xsl:value-of select="$name"/>
        <xsl:if test="/d:AppleHealth/@group = 'notification'"> (notification)</xsl:if>
        <xsl:if test="@said = 'Not present'">: not present</xsl:if>
      </Field>
      <Field name="kind"><xsl:value-of select="/d:AppleHealth/@group"/></Field>
      <xsl:if test="$code != ''">
        <Field name="severity_identifier"><xsl:value-of select="$code"/></Field>
        <Field name="severity_title"><xsl:value-of select="@said"/></Field>
        <Field name="severity_system">http://purl.bioontology.org/ontology/SNOMEDCT/</Field>
      </xsl:if>
      <xsl:if test="$code = '' and @said != 'Not present'"><Field name="said"><xsl:value-of select="@said"/></Field></xsl:if>
      <xsl:call-template name="when-and-who"/>
    </Model>
  </xsl:template>

  <!-- Each device counts for itself, because two of them count the same steps: its sums have a type of their own. -->
  <xsl:template match="d:reading" mode="measurement">
    <xsl:variable name="source" select="normalize-space((@source | /d:AppleHealth/@source[not(current()/@source)])[1])"/>
    <xsl:variable name="called">
      <xsl:value-of select="$name"/>
      <xsl:if test="@day and $source != ''"><xsl:value-of select="concat(', ', $source)"/></xsl:if>
    </xsl:variable>
    <Model name="Measurement">
      <Field name="type"><xsl:value-of select="normalize-space(substring($called, 1, 24))"/></Field>
      <xsl:if test="string-length($called) &gt; 24"><Field name="name"><xsl:value-of select="substring($called, 1, 255)"/></Field></xsl:if>
      <Field name="value"><xsl:value-of select="@value"/></Field>
      <Field name="unit"><xsl:call-template name="unit"/></Field>
      <Field name="datetime"><xsl:value-of select="@start | @day"/></Field>
      <xsl:call-template name="circumstances"/>
    </Model>
  </xsl:template>
</xsl:stylesheet>
